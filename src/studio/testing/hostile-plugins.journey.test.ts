import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { installSample } from './install-sample.ts';
import { samplePluginZip } from './plugin-sample.ts';
import { type Studio, startStudio } from './studio.ts';

const MIRA = '/w/default/character/mira_vale';
const SECRET = 'open_secret';

/** Refusals by the browser, which this test causes. */
const REFUSALS = [
  /Content Security Policy/i,
  /Unsafe attempt to initiate navigation/,
  /Blocked (opening|form submission|a frame)/,
  /^Failed to load resource: the server responded with a status of 4(04|22)/,
];

async function upload(page: Page, { url }: Studio, id: string): Promise<void> {
  const buffer = samplePluginZip({ id, name: id, permissions: ['entities:read'] });
  const reply = await page.request.post('/api/plugins/upload', {
    headers: { origin: url },
    multipart: { file: { name: `${id}.zip`, mimeType: 'application/zip', buffer } },
  });
  assert.equal(reply.status(), 201, await reply.text());
}

const isPageOf = (frame: Frame, id: string) => frame.url().includes(`/panel/${id}/side/`);

async function frameOf(page: Page, id: string, name = id): Promise<Frame> {
  await page.locator(`iframe[title="At the side (${name})"]`).scrollIntoViewIfNeeded();
  await until(() => page.frames().some((frame) => isPageOf(frame, id)));
  const frame = page.frames().find((each) => isPageOf(each, id)) ?? assert.fail();
  await frame.locator('#name').filter({ hasText: 'Mira Vale' }).waitFor();
  return frame;
}

/** Two plugins beside an entity, in a window whose cookies and storage nothing but their origin hides from scripts. */
async function twoPlugins(studio: Studio) {
  const page = await studio.openAsOwner(MIRA, {
    serviceWorkers: 'block',
    viewport: { width: 1500, height: 1400 },
    expected: REFUSALS,
  });
  await upload(page, studio, 'neighbour');
  await upload(page, studio, 'spy');
  for (const domain of [new URL(studio.url).hostname, 'localhost'])
    await page.context().addCookies([{ name: SECRET, value: 'crown', domain, path: '/' }]);
  await page.reload();
  await page.evaluate((key) => localStorage.setItem(key, 'crown'), SECRET);
  const [neighbour, spy] = [await frameOf(page, 'neighbour'), await frameOf(page, 'spy')];
  await neighbour.evaluate(async (key) => {
    localStorage.setItem(key, 'crown');
    await new Promise((resolve) => {
      indexedDB.open(key).onsuccess = resolve;
    });
  }, SECRET);
  await page.context().addCookies([{ name: SECRET, value: 'crown', url: neighbour.url() }]);
  return { page, spy, neighbour };
}

/** The replies that pages of plugins got, other than files of their own. */
function repliesToPlugins(page: Page): { urls: string[]; cookies: string[] } {
  const got = { urls: [] as string[], cookies: [] as string[] };
  page.on('response', async (response) => {
    const request = response.request();
    const from = request.frame();
    if (from === page.mainFrame()) return;
    const { cookie = '' } = await request.allHeaders();
    if (cookie !== '') got.cookies.push(`${response.url()}: ${cookie}`);
    if (!new URL(response.url()).pathname.startsWith('/api/plugins/panel/')) got.urls.push(response.url());
  });
  return got;
}

/** Runs in the page of a plugin: each way out that is not refused, by its name. */
async function waysOut([service, other]: readonly [string, string]): Promise<string[]> {
  const parentWindow = window.parent as Window & { document: Document };
  const frames = Array.from({ length: parentWindow.length }, (_, index) => parentWindow[index] as Window);
  const loads = (element: HTMLElement) =>
    new Promise((resolve, reject) => {
      element.onload = resolve;
      element.onerror = reject;
      document.body.append(element);
    });
  const opens = (target: WebSocket | EventSource) =>
    new Promise((resolve, reject) => {
      target.onopen = resolve;
      target.onerror = reject;
    });
  const entity = `${service}/api/entity/character/mira_vale`;
  const ways: Record<string, () => unknown> = {
    'document of the Studio': () => parentWindow.document.title,
    'storage of the Studio': () => parentWindow.localStorage.getItem('open_secret'),
    'address of the Studio': () => parentWindow.location.href,
    'function of the Studio': () => Reflect.get(parentWindow, 'fetch'),
    'navigation of the Studio': () => {
      parentWindow.location.href = 'about:blank';
    },
    'documents of other pages': () => frames.filter((each) => each !== window).map((each) => each.document),
    'storage of other pages': () => frames.filter((each) => each !== window).map((each) => each.localStorage),
    'request to the service': () => fetch(entity, { credentials: 'include' }),
    'request without reading': () => fetch(entity, { credentials: 'include', mode: 'no-cors' }),
    'request on the own origin': () => fetch('/api/entity/character/mira_vale'),
    'page of another plugin': () => fetch(other, { mode: 'no-cors' }),
    socket: () => opens(new WebSocket(`${service.replace('http', 'ws')}/api/ws`)),
    'events of the service': () => opens(new EventSource(`${service}/api/events`)),
    picture: () => loads(Object.assign(new Image(), { src: `${service}/favicon.ico` })),
    script: () => loads(Object.assign(document.createElement('script'), { src: `${other}page.js` })),
    'window of its own': () => window.open(service) ?? Promise.reject(new Error('no window')),
  };
  const refused = new Promise((resolve) => setTimeout(resolve, 5_000));
  const tried = Object.entries(ways).map(async ([name, way]) => {
    try {
      return (await Promise.race([
        Promise.resolve(way()).then(() => name),
        refused.then(() => null),
      ])) as string;
    } catch {
      return null;
    }
  });
  return (await Promise.all(tried)).filter((name) => name !== null);
}

test('a hostile page of a plugin reaches no cookie, storage, window, network or record but its own', async (t) => {
  const studio = await startStudio(t);
  const { page, spy, neighbour } = await twoPlugins(studio);
  const replies = repliesToPlugins(page);

  const seen = await spy.evaluate(async () => ({
    cookie: document.cookie,
    storage: Object.keys(localStorage),
    databases: await indexedDB.databases(),
  }));
  assert.deepEqual(seen, { cookie: '', storage: [], databases: [] });
  assert.deepEqual(await spy.evaluate(waysOut, [studio.url, neighbour.url()] as const), []);

  // A cookie for all names below the Studio's would be sent to the Studio.
  await spy.evaluate(() => Reflect.set(document, 'cookie', 'tossed=1; domain=localhost; path=/'));
  const cookies = await page.context().cookies([studio.url, studio.url.replace('127.0.0.1', 'localhost')]);
  assert.ok(cookies.length > 0 && cookies.every(({ name }) => name !== 'tossed'));

  // A form and a frame within it tell a page nothing: the service would have seen them.
  await spy.evaluate((service) => {
    const form = document.createElement('form');
    const inner = document.createElement('iframe');
    Object.assign(form, { action: `${service}/api/auth/logout`, method: 'post', target: 'inner' });
    Object.assign(inner, { name: 'inner', src: `${service}/w/default` });
    document.body.append(inner, form);
    form.submit();
    navigator.sendBeacon(`${service}/api/auth/logout`);
  }, studio.url);
  await until(() => spy.childFrames().length > 0);

  // Others' pages take nothing for the Studio's that comes from a page beside them.
  await neighbour.evaluate(() => {
    new BroadcastChannel('all').onmessage = () => document.body.append('heard');
  });
  await spy.evaluate(() => {
    new BroadcastChannel('all').postMessage('forged');
    for (let index = 0; index < parent.length; index += 1)
      for (const message of [
        { type: 'entity-context', entityType: 'character', entityId: 'forged', theme: 'dark' },
        { type: 'host-theme-response', variables: { '--surface-base-bg': 'red' } },
      ])
        parent[index]?.postMessage(message, '*');
  });

  const call = (frame: Frame, name: string, args: object) =>
    frame.evaluate(([asked, given]) => window.call(asked, given), [name, args] as const);
  const record = { record_type: 'notes', data: { crown: 1 } };
  const made = await call(neighbour, 'data.create', record);
  assert.ok(made.ok, JSON.stringify(made));
  const mine = await call(spy, 'data.list', { record_type: 'notes' });
  assert.deepEqual((mine.result as { total: number }).total, 0);
  const mira = { entity_type: 'character', entity_id: 'mira_vale' };
  for (const [name, args] of [
    ['data.list', { record_type: '../../neighbour/data/notes' }],
    [
      'data.list',
      { record_type: 'notes', plugin_id: 'neighbour', pluginId: 'neighbour', plugin: 'neighbour' },
    ],
    ['data.get', { record_type: '..', record_id: 'settings' }],
    ['data.put', { record_type: '..', record_id: 'settings', data: { goal: 1 } }],
    ['entities.get', { entity_type: '..', entity_id: 'plugins' }],
    ['custom', { method: 'GET', path: '/../../neighbour/settings' }],
    ['custom', { method: 'GET', path: '/..%2f..%2f..%2fentity/character' }],
    ['entities.get', { entity_type: '../plugins', entity_id: 'neighbour' }],
    ['entities.update', { ...mira, fields: { want: 'the crown' } }],
    ['entities.delete', mira],
    ['constructor', {}],
  ] as const) {
    const answer = await call(spy, name, args);
    assert.ok(!answer.ok || !JSON.stringify(answer).includes('crown'), `${name} ${JSON.stringify(args)}`);
    if (!name.startsWith('data.list')) assert.equal(answer.ok, false, `${name} ${JSON.stringify(args)}`);
  }
  await spy.evaluate(() =>
    Reflect.get(window, 'say')({ type: 'entity-modified', fields: { want: 'the crown' } }),
  );
  await page.getByText(/^spy wants to change this entry/).waitFor();

  assert.equal(await neighbour.locator('#entity').textContent(), 'character/mira_vale');
  assert.equal(await neighbour.locator('body').evaluate((body) => body.textContent.includes('heard')), false);
  const background = await neighbour.evaluate(() =>
    document.documentElement.style.getPropertyValue('--surface-base-bg'),
  );
  assert.notEqual(background, 'red');

  // It may leave its page, and then the frame shows nothing of the Studio.
  await spy.evaluate((service) => {
    location.href = `${service}/w/default`;
  }, studio.url);
  await page.getByLabel('Want', { exact: true }).waitFor();
  await until(() =>
    page.frames().every((frame) => frame === page.mainFrame() || !frame.url().startsWith(studio.url)),
  );
  assert.notEqual(await page.getByLabel('Want', { exact: true }).inputValue(), 'the crown');
  assert.deepEqual(replies, { urls: [], cookies: [] });
  const reply = await page.request.get('/api/entity/character/mira_vale');
  assert.equal(reply.status(), 200, 'the user is still signed in');
});

/** From now on counts the toasts that are added. */
const countToasts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counter = { added: [] as string[] };
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) counter.added.push(node.textContent ?? '');
    }).observe(document.querySelector('section[aria-live]') ?? document.body, { childList: true });
    Reflect.set(window, 'counter', counter);
  });

const toastsAdded = (page: Page): Promise<string[]> =>
  page.evaluate(() => Reflect.get(window, 'counter').added);

test('a page of a plugin does not fill the Studio with toasts', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  await page.goto(MIRA);
  const pest = await frameOf(page, 'sample', 'Sample');
  await countToasts(page);
  const statuses = await pest.evaluate(async () => {
    const offer = (at: number) =>
      window.call('files.offer', { name: `file-${at}.txt`, content: new Blob(['x']) });
    const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => offer(at)));
    return answers.map(({ status }) => status ?? 200);
  });
  assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(10).fill(429)]);
  const offered = page.getByText(/^Sample has made the file/);
  await page.getByText('Sample has made the file file-4.txt.').waitFor();
  assert.equal(await offered.count(), 1);

  await pest.evaluate(() => {
    for (let at = 0; at < 15; at += 1)
      Reflect.get(window, 'say')({ type: 'entity-modified', fields: { version: at } });
  });
  await page.getByText(/^Sample wanted to give/).waitFor();
  await pest.evaluate(() => window.call('types.list', {}));
  const warnings = (await toastsAdded(page)).filter((text) => text.startsWith('Sample wanted to give'));
  assert.equal(warnings.length, 1);
});
