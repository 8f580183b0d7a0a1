import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { callOf } from '../../client/call.ts';
import { contracts } from '../build/contracts.ts';
import { brotliKb, builtFiles, firstScripts, gzipKb, loadedFiles } from './loaded.ts';
import { memoryOf, type PageMemory } from './page-memory.ts';
import { workOfFrame, workOfKey } from './page-work.ts';
import { shareStudio } from './studio.ts';

const LIST = '/w/default/character';
const MIRA = `${LIST}/mira_vale`;
const KEY_MS = 25;
const FRAME_MS = 8;
const LONG_LIST = 100_000;
const ROW_PX = 40;
/** Entities that are opened and left, and the per cent by which the heap may grow then. */
const LEFT = 200;
const GROWTH = 10;
/** Through some of the entities; so many tell how it would go on. */
const LEAST_ROUNDS = 3;
const DIST = join(import.meta.dirname, '../../../dist/studio');

const shared = shareStudio();

const isScript = ({ path }: { path: string }): boolean => path.endsWith('.js');

function within(t: TestContext, what: string, value: number, most: number): void {
  const said = `${what}: ${value.toFixed(1)}, at most ${most}`;
  t.diagnostic(said);
  assert.ok(value <= most, said);
}

/** A service worker would load every file of the build. */
const openAsOwner = async (t: TestContext, path: string): Promise<Page> =>
  (await shared(t)).openAsOwner(path, { serviceWorkers: 'block' });

test('the list shows its rows with the scripts that the page itself names', async (t) => {
  const page = await openAsOwner(t, '/');
  await page.waitForURL('**/w/default', { waitUntil: 'commit' });
  const first = firstScripts();
  const { promise: rowsAreShown, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/studio/assets/*.js', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (!first.some(({ path }) => pathname === `/studio/${path}`)) await rowsAreShown;
    await route.continue();
  });
  await page.goto(LIST, { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Mira Vale' }).waitFor();
  release();
  await page.getByRole('button', { name: 'Columns' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.unrouteAll({ behavior: 'wait' });

  within(t, 'scripts of the first screen, KB by gzip', gzipKb(first), 175);
  within(t, 'scripts of the first screen, KB by brotli', brotliKb(first), 150);
  const all = (await loadedFiles(page)).filter(isScript);
  within(t, 'scripts of the list with all that follows, KB by gzip', gzipKb(all), 300);
});

test('the page of an entity loads no more than it may, no fonts, and a key in it is little work', async (t) => {
  const page = await openAsOwner(t, MIRA);
  await page.getByRole('textbox', { name: 'Text of Mira Vale' }).waitFor();
  await page.getByLabel('Want', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  const files = await loadedFiles(page);
  within(t, 'scripts of an entity, KB by gzip', gzipKb(files.filter(isScript)), 340);
  within(t, 'styles of an entity, KB by gzip', gzipKb(files.filter(({ path }) => path.endsWith('.css'))), 15);
  const fonts = builtFiles().filter(({ path }) => /\.(?:woff2?|ttf|otf)$/.test(path));
  assert.deepEqual(fonts, []);

  for (const part of [
    page.getByLabel('Want', { exact: true }),
    page.getByRole('textbox', { name: /^Text of/ }),
  ]) {
    await part.click();
    await page.keyboard.type('Warm up. ');
    within(t, 'script, style and layout of a key, ms', await workOfKey(page, KEY_MS), KEY_MS);
  }
});

/** Stands in for a service with so many characters; what is measured is the page. */
async function fillList(page: Page, total: number): Promise<void> {
  await page.route('**/api/entity/character?**', (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
    const rows = Array.from({ length: Math.min(limit ?? 0, total - (offset ?? 0)) }, (_, at) => ({
      entity_id: `person_${(offset ?? 0) + at}`,
      version: 1,
      updated_at: '2026-02-03T10:00:00.000Z',
      values: {
        name: `Person ${(offset ?? 0) + at} of the coast`,
        status: 'active',
        pronouns: 'she/her',
        story_role: 'supporting',
        birth_year: 392,
      },
    }));
    return route.fulfill({ json: { total, offset, limit, entities: [], rows } });
  });
}

test('a row of 100,000 that scrolls in is little work', async (t) => {
  const page = await openAsOwner(t, '/me/appearance');
  await fillList(page, LONG_LIST);
  await page.goto(LIST);
  await page.getByRole('link', { name: 'Person 0 of the coast' }).waitFor();
  await page.waitForLoadState('networkidle');
  const box = page.locator(':has(> table)');
  const { work, interval } = await workOfFrame(box, ROW_PX, FRAME_MS);
  t.diagnostic(`milliseconds between frames, median: ${interval.toFixed(1)}`);
  within(t, 'script, style and layout of a frame with one more row, ms', work, FRAME_MS);
  await box.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.getByRole('link', { name: `Person ${LONG_LIST - 1} of the coast` }).waitFor();
  // What is looked for is shown from its first row on.
  await page.getByPlaceholder(/^Search in/).fill('coast');
  await page.getByRole('link', { name: 'Person 0 of the coast' }).waitFor();
});

test('the build knows of each call only how it is made', (t) => {
  const calls = Object.entries(contracts).map(([name, contract]) => [name, callOf(contract)]);
  const size = gzipSync(JSON.stringify(Object.fromEntries(calls))).length / 1024;
  within(t, 'table of calls, KB by gzip', size, 4);
  const sources = globSync('assets/*.map', { cwd: DIST }).flatMap(
    (map): string[] => JSON.parse(readFileSync(join(DIST, map), 'utf8')).sources,
  );
  assert.ok(sources.some((source) => source.includes('node_modules/react-dom/')));
  assert.deepEqual(
    sources.filter((source) => source.includes('node_modules/typebox/')),
    [],
  );
});

/** The page that was left last is let go of a moment later. */
async function memoryWithoutEditors(page: Page): Promise<PageMemory> {
  let memory = await memoryOf(page);
  await until(
    async () => {
      if (memory.detachedEditors > 0) memory = await memoryOf(page);
      return memory.detachedEditors === 0;
    },
    () => memory,
  );
  return memory;
}

test('entities that were opened and left leave nothing behind', async (t) => {
  const page = await openAsOwner(t, LIST);
  const link = page.getByRole('link', { name: 'Mira Vale' });
  await link.waitFor();
  const types = ['character', 'item', 'location'];
  const lists = await Promise.all(types.map((type) => page.request.get(`/api/entity/${type}?columns=name`)));
  const entities = (await Promise.all(lists.map((list) => list.json()))).flatMap(({ rows }, index) =>
    rows.map((row: { entity_id: string; values: { name: string } }) => ({
      address: `/w/default/${types[index]}/${row.entity_id}`,
      text: `Text of ${row.values.name}`,
    })),
  );
  assert.ok(entities.length > 10);
  const openAll = async () => {
    for (const { address, text } of entities) {
      await page.evaluate((to) => history.pushState(null, '', to), address);
      await page.getByRole('textbox', { name: text, exact: true }).waitFor();
    }
    await page.evaluate((to) => history.pushState(null, '', to), LIST);
    await link.waitFor();
  };
  // Scripts grow while they are new to the browser.
  await openAll();
  await openAll();
  const before = await memoryWithoutEditors(page);
  let after = before;
  let opened = 0;
  const growth = () => (100 * (after.heap / before.heap - 1) * LEFT) / opened;
  for (let round = 1; round <= LEAST_ROUNDS || (growth() > GROWTH && opened < LEFT); round += 1) {
    await openAll();
    opened += entities.length;
    after = await memoryWithoutEditors(page);
  }
  t.diagnostic(`${opened} opened, ${before.heap.toFixed(1)} MB before`);
  within(t, `heap that ${LEFT} of them add, per cent`, growth(), GROWTH);
  within(t, 'nodes of the document', after.nodes, before.nodes * 1.1);
});
