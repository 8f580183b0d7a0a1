import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { paintsOfKeys, percentile } from './studio/keys.ts';
import { type Loading, loadingOf, watchLoading } from './studio/loading.ts';
import { HAS_WORKER } from './studio/page-scripts.ts';
import { heapOf, openWindow, slowDown, slowProcessor, startBrowser } from './studio/window.ts';
import { limitResult, type Result } from './support/report.ts';
import { median } from './support/rounds.ts';
import { type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { entityIdOf, world } from './world.ts';

const DIST = join(import.meta.dirname, '..', 'dist', 'studio');
const ENTITIES = 10_000;
const VISITS = 3;
const KEYS = 60;
const SAVES = 10;
const LIST = '/w/default/character';
const ROW = 'tbody a';
const TEXT = '.cm-content';
const entityAt = (index: number): string => `${LIST}/${entityIdOf(index)}`;

/** The web app in Chromium. An argument gives another number of entities. */
export async function run([entities = `${ENTITIES}`]: readonly string[]): Promise<Result[]> {
  const count = Number(entities);
  const service = await startService(world(count));
  const browser = await startBrowser();
  try {
    await firstSync(service);
    return [
      ...(await visits(browser, service)),
      ...(await names(browser, service, count)),
      ...(await writing(browser, service)),
      await others(browser, service),
      sizeOfBuild(),
    ];
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** The first page that somebody opens, on an old phone in a slow network, and the same page again. */
async function visits(browser: Browser, service: Service): Promise<Result[]> {
  const [first, second]: [Loading[], Loading[]] = [[], []];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const window = await openWindow(browser, service);
    await watchLoading(window.page);
    await slowDown(window);
    first.push(await loadingOf(window.page, LIST, ROW));
    await window.page.waitForFunction(HAS_WORKER);
    second.push(await loadingOf(window.page, LIST, ROW));
    await window.context.close();
  }
  const middle = (of: Loading[], part: keyof Loading) => median(of.map((loading) => loading[part]));
  const slow = 'slow 4G, a processor four times slower';
  return [
    limitResult(`first paint of a list, ${slow}`, 'ms', middle(first, 'firstPaint'), 1_800),
    limitResult('the same, usable', 'ms', middle(first, 'usable'), 3_000),
    limitResult('the same, largest paint', 'ms', middle(first, 'largestPaint'), 2_500),
    limitResult('the same, blocked', 'ms', middle(first, 'blocked'), 300),
    limitResult('the same, layout shift', '', middle(first, 'shift'), 0.02),
    limitResult(`first paint of the second visit, ${slow}`, 'ms', middle(second, 'firstPaint'), 600),
    limitResult('the same, usable', 'ms', middle(second, 'usable'), 1_200),
  ];
}

/** From a key in the palette to what it finds, and the memory of the page with all names. */
async function names(browser: Browser, service: Service, count: number): Promise<Result[]> {
  const isLarge = count > ENTITIES;
  const window = await openWindow(browser, service);
  const { page, context } = window;
  await page.goto(LIST);
  await page.locator(ROW).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('p');
  await page.getByRole('menuitem').first().waitFor();
  const paints = await paintsOfKeys(page, KEYS);
  await page.keyboard.press('Escape');
  const heap = await heapOf(window);
  await context.close();
  const limits = isLarge ? { ms: 50, mb: 120 } : { ms: 16, mb: 40 };
  return [
    limitResult(`key → what the palette finds among ${count} names`, 'ms', median(paints), limits.ms),
    limitResult(`what the page holds with ${count} names`, 'MB', heap, limits.mb),
  ];
}

async function writing(browser: Browser, service: Service): Promise<Result[]> {
  const long = entityIdOf(7);
  const markdown_body = 'She counts the bells, one after the other. \n\n'.repeat(4_600);
  await service.call('PUT', `/api/entity/character/${long}`, { markdown_body });
  const window = await openWindow(browser, service);
  const { page, context } = window;
  await page.goto(entityAt(3));
  await page.locator(TEXT).waitFor();
  // It was changed last, so it is the first one.
  await page.goto(`${LIST}?sort=-updated_at`);
  const row = page.getByRole('row').locator(`a[href="${entityAt(7)}"]`);
  await row.waitFor();
  const opened = performance.now();
  await row.click();
  await page.locator(TEXT).waitFor();
  const opening = performance.now() - opened;
  await page.locator(TEXT).click();
  await page.keyboard.press('Control+Home');
  const usual = await paintsOfKeys(page, KEYS);
  await slowProcessor(window, 4);
  const slow = await paintsOfKeys(page, KEYS);
  await context.close();
  return [
    limitResult('opening a text of 200 KB from its list', 'ms', opening, 300),
    limitResult('key → paint in a text of 200 KB, median', 'ms', median(usual), 16),
    limitResult('the same, 95th of 100', 'ms', percentile(usual, 0.95), 50),
    limitResult('the same, a processor four times slower, 95th of 100', 'ms', percentile(slow, 0.95), 250),
  ];
}

/** From a save by somebody else to the page that shows the entity. */
async function others(browser: Browser, service: Service): Promise<Result> {
  const { page, context } = await openWindow(browser, service);
  await page.goto(entityAt(11));
  await page.locator(TEXT).waitFor();
  const times: number[] = [];
  for (let save = 0; save < SAVES; save += 1) {
    const name = `Renamed ${save}`;
    const started = performance.now();
    await service.call('PUT', `/api/entity/character/${entityIdOf(11)}`, { name });
    await page.getByRole('heading', { name }).waitFor();
    times.push(performance.now() - started);
  }
  await context.close();
  return limitResult('a save by somebody else → on the page, median', 'ms', median(times), 300);
}

function sizeOfBuild(): Result {
  const { files }: { files: { path: string; bytes: number }[] } = JSON.parse(
    readFileSync(join(DIST, 'files.json'), 'utf8'),
  );
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return limitResult('files of the build', 'MB', bytes / 1024 ** 2, 3);
}
