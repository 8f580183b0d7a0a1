import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { until } from '../../../../../test/support/until.ts';
import { type HarnessOptions, openHarness } from '../../../testing/harness.ts';

const PAGE =
  '<!doctype html><html lang="en"><title>Hostile</title><body><script>window.got = [];' +
  'addEventListener("message", ({ data }) => got.push(data));</script></body></html>';

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(PAGE);
});
let port = 0;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
after(() => void server.close().closeAllConnections());

declare global {
  interface Window {
    got: { type: string }[];
    reads: number;
  }
}

const originOf = (name: string): string => `http://${name}.localhost:${port}`;

async function open(t: TestContext, origin: string | null = originOf('words'), options: HarnessOptions = {}) {
  const globals = { frame: { url: `${originOf('words')}/goals/`, origin } };
  const page = await openHarness(t, import.meta.url, './frame.harness.ts', { ...options, globals });
  await page.waitForFunction(() => window.heard.some(([what]) => what === 'load'));
  const frame = page.frames().find((each) => each.url().includes('/goals/')) ?? assert.fail('no frame');
  return { page, frame };
}

const heard = (page: Page): Promise<unknown[][]> =>
  page.evaluate(() => window.heard.filter(([what]) => what !== 'load'));

const arrived = (page: Page): Promise<number> => page.evaluate(() => window.arrived);

/** Posts messages to the Studio, and waits until they have arrived. */
async function post(page: Page, frame: Frame, ...messages: unknown[]): Promise<void> {
  const already = await arrived(page);
  await frame.evaluate((all) => {
    for (const message of all) window.parent.postMessage(message, '*');
  }, messages);
  await until(async () => (await arrived(page)) >= already + messages.length);
}

const TOAST = { type: 'toast', message: 'Hello' };

test('a page is heard on its own origin, told about its entity, and drawn in the colours of the theme', async (t) => {
  const { page, frame } = await open(t);
  await post(page, frame, TOAST);
  assert.deepEqual(await heard(page), [
    ['state', 'shown'],
    ['toast', 'info', 'Hello'],
  ]);
  await until(() => frame.evaluate(() => window.got.length === 2));
  assert.deepEqual(await frame.evaluate(() => window.got.map(({ type }) => type)), [
    'entity-context',
    'host-theme-response',
  ]);
  assert.match(frame.url(), /\?entity_type=character&entity_id=mira&theme=light$/);
  const variables = Object.entries(await page.evaluate(() => window.variables));
  assert.equal(variables.length, 72);
  for (const [name, color] of variables) assert.match(color, /^rgb/, name);
});

test('other windows of the same plugin are not heard, nor is the Studio itself', async (t) => {
  const { page } = await open(t);
  await page.evaluate(
    (url) => {
      const other = document.createElement('iframe');
      other.src = url;
      document.body.append(other);
      window.postMessage({ type: 'toast', message: 'From the Studio itself' }, '*');
    },
    `${originOf('words')}/other/`,
  );
  await until(() => page.frames().some((each) => each.url().includes('/other/')));
  const other = page.frames().find((each) => each.url().includes('/other/')) ?? assert.fail('no frame');
  await other.waitForLoadState();
  await post(page, other, TOAST, { type: 'entity-modified', fields: { want: 'x' } });
  assert.deepEqual(await heard(page), []);
});

test('a frame that has gone to another origin is neither heard nor told anything', async (t) => {
  const { page, frame } = await open(t, undefined, { expected: [/target origin/] });
  await frame.evaluate(
    (to) => {
      location.href = to;
    },
    `${originOf('other')}/goals/`,
  );
  await page.waitForFunction(() => window.heard.filter(([what]) => what === 'load').length === 2);
  const gone = page.frames().find((each) => each.url().includes('//other.')) ?? assert.fail('no frame');
  await post(page, gone, TOAST, { type: 'panel-ready' });
  assert.deepEqual(await heard(page), []);
  assert.deepEqual(await gone.evaluate(() => window.got), []);
});

/** From now on counts the messages whose data are read, which is when the browser decodes them. */
const countReads = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.reads = 0;
    const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data') ?? {};
    Object.defineProperty(MessageEvent.prototype, 'data', {
      configurable: true,
      get() {
        window.reads += 1;
        return get?.call(this);
      },
    });
  });

test('a flood is dropped unread and ends with a stop', async (t) => {
  const { page, frame } = await open(t);
  await countReads(page);
  const burst = Array.from({ length: 60 }, () => ({ type: 'resize', height: 100 }));
  for (let second = 0; second < 11; second += 1) {
    await post(page, frame, ...burst);
    await page.evaluate(() => {
      window.time += 1_000;
    });
  }
  const all = await heard(page);
  assert.equal(all.filter(([what]) => what === 'resize').length, 500);
  assert.deepEqual(all.at(-1), ['state', 'stopped']);
  assert.equal(await page.evaluate(() => window.reads), 500);
});

test('what is too large or reaches for prototypes is dropped, and the page is heard on', async (t) => {
  const { page, frame } = await open(t);
  await post(page, frame, { type: 'entity-modified', fields: { want: 'x'.repeat(300_000) } });
  await frame.evaluate(() => {
    const say = (message: unknown) => window.parent.postMessage(message, '*');
    say(JSON.parse('{"type":"entity-modified","fields":{"__proto__":{"polluted":true}}}'));
    say(JSON.parse('{"type":"entity-modified","fields":{"constructor":{"prototype":{"polluted":true}}}}'));
    say({
      type: 'entity-modified',
      fields: { at: new Date(), file: new Blob(['x']), more: new ArrayBuffer(8) },
    });
    const loop: Record<string, unknown> = { type: 'entity-modified' };
    loop.fields = loop;
    say(loop);
    say({ type: '__proto__' });
    say(null);
  });
  await post(page, frame, TOAST);
  assert.deepEqual(await heard(page), [
    ['state', 'shown'],
    ['modify', { constructor: { prototype: { polluted: true } } }, null],
    ['toast', 'info', 'Hello'],
  ]);
  assert.equal(await page.evaluate(() => 'polluted' in Object.prototype), false);
});

for (const origin of [null, 'own'])
  test(`a page without an origin of its own has none at all (${origin})`, async (t) => {
    const { page, frame } = await open(t, origin);
    const sandbox = await page.locator('iframe').getAttribute('sandbox');
    assert.equal(sandbox, 'allow-scripts allow-forms');
    assert.equal(await frame.evaluate(() => self.origin), 'null');
    await assert.rejects(frame.evaluate(() => localStorage.length));
    await post(page, frame, TOAST);
    assert.deepEqual((await heard(page)).at(-1), ['toast', 'info', 'Hello']);
    assert.equal(await frame.evaluate(() => window.got[0]?.type), 'entity-context');
  });
