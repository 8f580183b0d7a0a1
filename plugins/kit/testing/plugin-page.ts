import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { openContext } from '../../../src/studio/testing/browser.ts';
import { pageWithContext } from '../../../src/world/plugins/panel-page.ts';
import { until } from '../../../test/support/until.ts';
import type { Panel } from '../host.ts';

const STUDIO = 'http://studio.test';
const PLUGIN = 'http://plugin.test';
const CANONRY = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const TOKENS = fileURLToPath(new URL('../../../src/studio/kit/theme/tokens.css', import.meta.url));
/** A page sends it back. */
const ECHO = 'echo';
/** A page says that it is there, and so does the helper in it. */
const READIES = 2;
const ROOM = { width: 320, height: 300 };
const TYPES: readonly (readonly [string, string])[] = [
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
];

export interface HostedPage {
  /** The page of the plugin, in the frame. */
  frame: Frame;
  page: Page;
  /** All that it has said but calls, in order. */
  said: readonly Record<string, unknown>[];
  /** A message of the Studio. Resolves once the page has heard it: keys overtake messages. */
  tell(message: Record<string, unknown>): Promise<void>;
}

export interface HostOptions extends BrowserContextOptions {
  /** A path in the built plugin. */
  html: string;
  /** Answers the calls of the page. */
  call: Panel['call'];
  /** The parts of the first `entity-context`. */
  context?: Record<string, unknown>;
  theme?: 'light' | 'dark';
  room?: { width: number; height: number };
  /** Told with the context, to a page that edits a field. */
  widget?: Record<string, unknown>;
}

/** The frame's owner: passes on what the page says, files as text, with the colours of the theme, as a Studio does. */
const hostPage = (theme: string, room: { width: number; height: number }): string => `<!doctype html>
<html lang="en" data-theme="${theme}"><title>Host</title><style>${readFileSync(TOKENS, 'utf8')}
iframe { border: 0; width: ${room.width}px; height: ${room.height}px; }</style>
<body><iframe title="Plugin"></iframe><script>
const frame = document.querySelector('iframe');
const told = [];
window.tell = (message) => new Promise((heard) => {
  told.push(heard);
  for (const each of [message, { type: '${ECHO}' }]) frame.contentWindow.postMessage(each, '*');
});
const text = new TextDecoder('utf-8', { ignoreBOM: true });
addEventListener('message', async ({ data, source }) => {
  if (source !== frame.contentWindow) return;
  if (data.type === '${ECHO}') return told.shift()();
  const file = data.args?.content;
  if (file instanceof Blob) data.args.content = text.decode(await file.arrayBuffer());
  window.hear(JSON.stringify(data));
});
window.colours = (names) => Object.fromEntries(names.map((name) => {
  frame.style.color = 'var(' + name + ')';
  return [name, getComputedStyle(frame).color];
}));
</script></body></html>`;

const built = new Map<string, Promise<unknown>>();

/** With the command that anybody uses, once in a process; returns the folder that is installed. */
async function build(folder: string): Promise<string> {
  const building =
    built.get(folder) ?? promisify(execFile)(process.execPath, [CANONRY, 'plugin', 'build', folder]);
  built.set(folder, building);
  await building;
  return join(folder, 'dist');
}

/** Builds a plugin, and shows a page of it in a frame. An error in the page fails the test. */
export async function openPluginPage(t: TestContext, folder: URL, options: HostOptions): Promise<HostedPage> {
  const { html, call, context = {}, theme = 'light', room = ROOM, widget, ...ofBrowser } = options;
  const dist = await build(fileURLToPath(folder));
  const browser = await openContext(t, ofBrowser);
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  t.after(() => assert.deepEqual(faults, [], 'the page has errors'));

  await page.route(`${STUDIO}/**`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: hostPage(theme, room) }),
  );
  await page.route(`${PLUGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const found = await readFile(join(dist, path)).catch(() => null);
    if (found === null) return route.fulfill({ status: 404 });
    const contentType = TYPES.find(([ending]) => path.endsWith(ending))?.[1] ?? 'application/octet-stream';
    const body = path === html ? asServed(found.toString('utf8'), theme) : found;
    return route.fulfill({ contentType, body });
  });

  const said: Record<string, unknown>[] = [];
  const tell = (message: Record<string, unknown>) =>
    page.evaluate(
      (told) => (window as unknown as { tell(message: unknown): Promise<void> }).tell(told),
      message,
    );
  const first = { entityType: null, entityId: null, data: null, language: 'en', ...context };

  let answered = 0;
  async function hear(json: string): Promise<void> {
    const message: Record<string, unknown> = JSON.parse(json);
    if (message.type === 'host-call') return answer(message);
    if (message.type !== 'panel-ready') return void said.push(message);
    const names = [...readFileSync(TOKENS, 'utf8').matchAll(/--surface-[\w-]+/g)].map(([name]) => name);
    const variables = await page.evaluate(
      (all) => (window as unknown as { colours(all: string[]): Record<string, string> }).colours(all),
      [...new Set(names)],
    );
    await tell({ type: 'entity-context', ...first, theme, hostOrigin: STUDIO });
    await tell({ type: 'host-theme-response', variables });
    const repeated = answered > 0 && { repeated: true };
    if (widget !== undefined) await tell({ type: 'host-field-widget-update', ...widget, ...repeated });
    answered += 1;
  }

  async function answer({ callId, call: name, args }: Record<string, unknown>): Promise<void> {
    // The helper in the page has checked the types of the call.
    const result = await (call as (name: unknown, args: unknown) => Promise<unknown>)(name, args).then(
      (value) => ({ ok: true, result: value }),
      (error: Error & { status?: number }) => ({
        ok: false,
        status: error.status ?? 500,
        detail: error.message,
      }),
    );
    await tell({ type: 'host-result', callId, ...result });
  }

  await page.exposeFunction('hear', hear);
  await page.addInitScript((echo) => {
    if (window.parent === window) return;
    addEventListener('message', ({ data }) => {
      if (data.type === echo) window.parent.postMessage(data, '*');
    });
  }, ECHO);
  await page.goto(`${STUDIO}/`);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  assert.ok(frame);
  await frame.goto(`${PLUGIN}/${html}`);
  await until(() => answered === READIES);
  return { frame, page, said, tell };
}

const asServed = (text: string, theme: 'light' | 'dark'): string =>
  pageWithContext(text, {
    pluginId: 'plugin',
    panelId: 'page',
    entityType: null,
    entityId: null,
    theme,
    base: `${PLUGIN}/`,
    hosts: [STUDIO],
  });
