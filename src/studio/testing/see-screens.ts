import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { notesVault } from '../../../test/support/notes-vault.ts';
import type { Layout } from '../../content/layout/index.ts';
import { createProfile } from './browser.ts';
import { samplePluginZip } from './plugin-sample.ts';
import { look, type Screen, visit } from './screens.ts';
import { type Studio, startStudio } from './studio.ts';

const WORLD = '/w/default';
const MIRA = `${WORLD}/character/mira_vale`;
const H1 = 'h1';

const pressed = (name: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.locator('[role="menu"], [role="dialog"], [role="listbox"]').first().waitFor();
};

const typed =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.locator('[role="dialog"]').first().waitFor();
    }
  };

/** Some notes of another program, one of which needs a type. */
async function chosenFolder(page: Page): Promise<void> {
  const files = [...notesVault(12), { path: 'Thoughts of the tide.md', content: 'Something about tides.' }];
  await page
    .locator('input[type=file]')
    .nth(1)
    .setInputFiles(
      files.map(({ path, content }) => ({
        name: path.slice(path.lastIndexOf('/') + 1),
        mimeType: 'text/markdown',
        buffer: Buffer.from(content),
      })),
    );
  await page.locator('main h2').first().waitFor();
}

const MORE = /^(?:More|Mehr)/;

const SCREENS: readonly Screen[] = [
  { name: 'home', path: WORLD, ready: H1 },
  { name: 'list', path: `${WORLD}/character`, ready: 'tbody a' },
  { name: 'list-without-hits', path: `${WORLD}/character?q=zzzz`, ready: 'main h2' },
  {
    name: 'list-filter',
    path: `${WORLD}/character`,
    ready: 'tbody a',
    act: pressed(/^Filter/),
  },
  { name: 'entity', path: MIRA, ready: '.cm-content' },
  { name: 'entity-menu', path: MIRA, ready: '.cm-content', act: pressed(MORE) },
  { name: 'entity-arranged', path: `${WORLD}/location/bell_house`, ready: 'main h3' },
  { name: 'layout', path: `${WORLD}/-/types/location/layout`, ready: 'main li' },
  {
    name: 'layout-item',
    path: `${WORLD}/-/types/location/layout`,
    ready: 'main li',
    act: pressed(/^Arrange|anordnen$/),
  },
  { name: 'references', path: `${MIRA}?tab=references`, ready: '[role="tabpanel"] h2' },
  { name: 'history', path: `${MIRA}?tab=history`, ready: 'main ol' },
  { name: 'new', path: `${WORLD}/-/new/quest`, ready: '.cm-content' },
  { name: 'findings', path: `${WORLD}/-/findings`, ready: H1 },
  { name: 'find', path: `${WORLD}/-/find?q=mira`, ready: 'mark' },
  { name: 'recycle-bin', path: `${WORLD}/-/recycle-bin`, ready: H1 },
  { name: 'import', path: `${WORLD}/-/import`, ready: H1 },
  { name: 'import-preview', path: `${WORLD}/-/import`, ready: H1, act: chosenFolder },
  { name: 'plugins', path: `${WORLD}/-/plugins`, ready: 'main h3' },
  { name: 'plugin-catalog', path: `${WORLD}/-/plugins?show=catalog`, ready: 'main h2' },
  { name: 'plugin', path: `${WORLD}/-/plugins/sample`, ready: 'main form' },
  {
    name: 'plugin-consent',
    path: `${WORLD}/-/plugins/sample`,
    ready: 'main form',
    act: pressed(/^(?:Answer|Antworten)/),
  },
  { name: 'plugin-broken', path: `${WORLD}/-/plugins/broken`, ready: 'main h2' },
  { name: 'worlds', path: '/w', ready: H1 },
  { name: 'appearance', path: '/me/appearance', ready: H1 },
  { name: 'welcome', path: '/welcome', ready: H1 },
  { name: 'keyboard', path: `${WORLD}/character`, ready: 'tbody a', act: typed('Control+/') },
  { name: 'palette', path: `${WORLD}/character`, ready: 'tbody a', act: typed('Control+k', 'm', 'i') },
  { name: 'unknown', path: `${WORLD}/-/nowhere`, ready: H1 },
];

/** Those whose words and panes need the most room. */
const LONG: ReadonlySet<string> = new Set([
  'home',
  'list',
  'entity',
  'new',
  'findings',
  'import',
  'import-preview',
  'appearance',
  'plugins',
  'plugin',
  'plugin-consent',
  'entity-arranged',
  'layout',
  'layout-item',
]);

const LAYOUT: Layout = {
  sections: [
    {
      label: 'Lie of the land',
      items: [
        { field: 'founded_year', width: 'third' },
        { field: 'destroyed_year', width: 'third' },
        { field: 'access', width: 'third' },
        { field: 'coordinates', width: 'half' },
        { block: 'plugin:maps:around' },
        { block: 'references' },
      ],
    },
    { label: 'Secrets', collapsed: true, items: [{ field: 'secrets' }] },
  ],
  hidden: ['population'],
};

/** A version that somebody made, a layout, a plugin that waits for an answer, and one that cannot be read. */
async function withSomethingToSee(studio: Studio): Promise<void> {
  const page = await studio.openAsOwner(MIRA);
  await page.getByLabel('Want', { exact: true }).fill('To hear the bell once more.');
  await page.keyboard.press('Control+s');
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  const headers = { origin: studio.url };
  const file = { name: 'sample.zip', mimeType: 'application/zip', buffer: samplePluginZip() };
  await page.request.post('/api/plugins/upload', { headers, multipart: { file } });
  await page.request.put('/api/layouts/location', { headers, data: LAYOUT });
  mkdirSync(join(studio.content, '_Plugins/broken'), { recursive: true });
  writeFileSync(join(studio.content, '_Plugins/broken/plugin.json'), '{\n  "id": "broken",\n  oops\n}');
  await page.request.post('/api/entity/sync/all', { headers });
  await page.close();
}

/** Looks at one after the other; resolves to all faults that a program can see. */
async function seeAll(screens: readonly Screen[], see: (screen: Screen) => Promise<void>): Promise<string> {
  const faults: string[] = [];
  for (const screen of screens)
    await see(screen).catch((error) => faults.push(`${screen.name}, ${error.message}`));
  return faults.join('\n\n');
}

const DESK = { width: 1280, height: 800 };
const WIDE_DESK = { width: 1680, height: 1000 };

/** Menus and dialogs stay open while the theme changes. */
const inThemes = (page: Page) => async (screen: Screen) => {
  await visit(page, screen);
  await look(page, `${screen.name}-light`, 'all');
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, `${screen.name}-dark`, 'contrasts');
  await page.emulateMedia({ colorScheme: 'light' });
  if (!LONG.has(screen.name)) return;
  await page.setViewportSize(WIDE_DESK);
  await look(page, `${screen.name}-wide`, null);
  await page.setViewportSize(DESK);
};

/** Requests of a service worker would take the processor from the page. */
const AT_REST = { serviceWorkers: 'block', reducedMotion: 'reduce' } as const;

/** All screens, and the doors to them, in light, dark and a wide window. */
export async function seeScreens(t: TestContext): Promise<void> {
  const studio = await startStudio(t);
  const door = inThemes(await studio.open('/', AT_REST));
  const faults = [await seeAll([{ name: 'first-run', path: '/', ready: 'form' }], door)];
  await withSomethingToSee(studio);
  faults.push(await seeAll([{ name: 'sign-in', path: '/', ready: 'form' }], door));
  faults.push(await seeAll(SCREENS, inThemes(await studio.openAsOwner(WORLD, AT_REST))));
  assert.equal(faults.join(''), '');
}

/** All screens in text twice as large, and those with the most words in the colours of a system that sets its own. */
export async function seeScreensForLowVision(t: TestContext): Promise<void> {
  const studio = await startStudio(t);
  await withSomethingToSee(studio);
  const profile = createProfile(t, { webkit: { webprefs: { default_font_size: 32 } } });
  const large = await studio.openAsOwner(WORLD, { ...AT_REST, profile });
  const forced = await studio.openAsOwner(WORLD, { ...AT_REST, forcedColors: 'active', colorScheme: 'dark' });
  assert.equal(await large.evaluate(() => getComputedStyle(document.documentElement).fontSize), '32px');
  assert.ok(await forced.evaluate(() => matchMedia('(forced-colors: active)').matches));
  const faults = [
    await seeAll(SCREENS, async (screen) => {
      await visit(large, screen);
      await look(large, `${screen.name}-large`, null);
    }),
    await seeAll(
      SCREENS.filter(({ name }) => LONG.has(name)),
      async (screen) => {
        await visit(forced, screen);
        // Axe reads the colours of the page, not those of the system.
        await look(forced, `${screen.name}-forced`, null);
      },
    ),
  ];
  assert.equal(faults.join(''), '');
}

/** All screens on a phone, and those with the most words in German. */
export async function seeOtherScreens(t: TestContext): Promise<void> {
  const studio = await startStudio(t);
  await withSomethingToSee(studio);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const small = await studio.openAsOwner(WORLD, { ...AT_REST, ...phone });
  const german = await studio.openAsOwner(WORLD, { ...AT_REST, locale: 'de-DE' });
  const faults = [
    await seeAll(SCREENS, async (screen) => {
      await visit(small, screen);
      await look(small, `${screen.name}-phone`, 'all but contrasts');
    }),
    await seeAll(
      SCREENS.filter(({ name }) => LONG.has(name)),
      async (screen) => {
        await visit(german, screen);
        await look(german, `${screen.name}-german`, null);
      },
    ),
  ];
  assert.equal(faults.join(''), '');
}
