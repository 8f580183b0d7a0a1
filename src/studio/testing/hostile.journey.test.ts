import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { HOSTILE_IDS, MARKUP, writeHostileWorld } from './hostile-world.ts';
import { look, type Screen, visit } from './screens.ts';
import { shareStudio, type WindowOptions } from './studio.ts';

const WORLD = '/w/default';
const LIST = `${WORLD}/wicked`;
const MARKUP_PAGE = `${LIST}/markup`;
const EDITOR = '.cm-content';

async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('script');
  await page.getByRole('menuitem', { name: MARKUP }).first().waitFor();
}

const SCREENS: readonly Screen[] = [
  { name: 'home', path: WORLD, ready: 'main li' },
  { name: 'list', path: LIST, ready: 'tbody a' },
  { name: 'palette', path: LIST, ready: 'tbody a', act: search },
  ...HOSTILE_IDS.map((id) => ({ name: id, path: `${LIST}/${id}`, ready: EDITOR })),
  { name: 'layout', path: `${WORLD}/-/types/wicked/layout`, ready: 'main li' },
  { name: 'layout-unreadable', path: `${WORLD}/-/types/character/layout`, ready: 'main li' },
  { name: 'references', path: `${MARKUP_PAGE}?tab=references`, ready: '[role="tabpanel"] h2' },
  { name: 'history', path: `${MARKUP_PAGE}?tab=history`, ready: 'main ol' },
  { name: 'findings', path: `${WORLD}/-/findings`, ready: 'article' },
  { name: 'find', path: `${WORLD}/-/find?q=${encodeURIComponent('<script>')}`, ready: 'mark' },
  { name: 'find-long', path: `${WORLD}/-/find?q=abracadabra`, ready: 'main h2' },
];

const shared = shareStudio();

/** A window of a world that means harm, and what of the world came to act in it. */
async function openHostile(t: TestContext, options: WindowOptions) {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/me/appearance', { serviceWorkers: 'block', ...options });
  const harm: string[] = [];
  page.on('dialog', (dialog) => {
    harm.push(`${page.url()} says ${dialog.message()}`);
    void dialog.dismiss();
  });
  writeHostileWorld(studio.content);
  await page.request.post('/api/entity/sync/all');
  await until(async () => {
    const reply = await page.request.get('/api/entity/wicked?limit=10');
    return (await reply.json()).total === HOSTILE_IDS.length;
  });
  return { studio, page, harm };
}

/** Nothing in the page would run what the world holds. */
async function noScripts(page: Page): Promise<void> {
  const scripts = page.locator(
    '[href^="javascript:" i], [src^="javascript:" i], iframe, [onerror], [onload]',
  );
  assert.equal(await scripts.count(), 0);
}

test('names, types, texts and files that mean harm are shown as they are written, on a phone too', async (t) => {
  const { page, harm } = await openHostile(t, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  for (const screen of SCREENS)
    try {
      await visit(page, screen);
      await look(page, `hostile-${screen.name}`, null);
      await noScripts(page);
    } catch (error) {
      harm.push(`${screen.name}: ${error}`);
    }
  assert.deepEqual(harm, []);
});

test('among them one looks, types and follows links as ever', async (t) => {
  const { studio, page, harm } = await openHostile(t, {});
  const fileOf = (id: string) => readFileSync(join(studio.content, `Wicked/${id}/W_${id}.md`), 'utf8');
  await page.goto(LIST);
  const row = page.getByRole('link', { name: MARKUP, exact: true });
  await row.focus();
  await page.keyboard.press('Space');
  const sheet = page.getByRole('dialog', { name: MARKUP });
  await sheet.locator(EDITOR).waitFor();
  await noScripts(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });

  await row.click();
  const before = fileOf('markup');
  const text = page.getByRole('textbox', { name: `Text of ${MARKUP}` });
  await text.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Written.');
  await page.keyboard.press('Control+s');
  await until(() => fileOf('markup').endsWith(' Written.'));
  assert.equal(page.context().pages().length, 1, 'nothing was opened');
  assert.equal(fileOf('markup'), `${before} Written.`);

  await page.goto(`${LIST}/many`);
  const last = page.getByLabel(`${MARKUP} 196`, { exact: true });
  await last.fill('Typed.');
  await page.keyboard.press('Control+s');
  await until(() => /^field_196: "?Typed\."?$/m.test(fileOf('many')));
  await noScripts(page);
  assert.deepEqual(harm, []);
});
