import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { starterTemplates } from '../../../../../test/support/starter-templates.ts';
import { until } from '../../../../../test/support/until.ts';
import type { Layout } from '../../../../content/layout/index.ts';
import { schemaOf } from '../../../../content/template/index.ts';
import { type HarnessOptions, noAxeFaults, openHarness } from '../../../testing/harness.ts';

const character = schemaOf(starterTemplates().get('character') ?? assert.fail('no character'));
const withLayout = (layout: Layout) => ({ ...character, 'x-form-layout': layout });

interface Given {
  schema: Record<string, unknown>;
  values?: Record<string, unknown>;
  props?: Record<string, unknown>;
}

async function open(t: TestContext, given: Given, options: HarnessOptions = {}): Promise<Page> {
  const globals = { form: { values: {}, ...given } };
  const page = await openHarness(t, import.meta.url, '../form/form.harness.tsx', { ...options, globals });
  await page.getByRole('heading', { name: 'Production' }).waitFor();
  return page;
}

const LAYOUT: Layout = {
  sections: [
    {
      label: 'At first sight',
      items: [
        { field: 'want', width: 'half' },
        { field: 'summary', width: 'half' },
        { block: 'plugin:words:goals' },
        { field: 'birth_year', width: 'third' },
        { field: 'death_year', width: 'third' },
        { field: 'pronouns', width: 'third' },
        { field: 'arc' },
      ],
    },
    { label: 'Later', collapsed: true, items: [{ field: 'secrets' }, { field: 'ghost' }] },
  ],
  hidden: ['aliases', 'courage'],
};

const placeOf = async (page: Page, path: string) =>
  (await page.locator(`[data-path="${path}"]`).boundingBox()) ?? assert.fail(`no ${path}`);

const headings = (page: Page): Promise<string[]> => page.getByRole('heading', { level: 2 }).allTextContents();

test('sections have their labels and order, and fields stand side by side where there is room', async (t) => {
  const page = await open(t, { schema: withLayout(LAYOUT), values: { arc: { beginning: 'at sea' } } });
  assert.deepEqual(await headings(page), [
    'At first sight',
    'Later',
    'More fields',
    'Production',
    '2 hidden fields',
  ]);
  await page.getByText('Block plugin:words:goals').waitFor();
  const at = (path: string) => placeOf(page, path);
  const [want, summary, birth, death, pronouns] = [
    await at('want'),
    await at('summary'),
    await at('birth_year'),
    await at('death_year'),
    await at('pronouns'),
  ];
  assert.equal(want.y, summary.y);
  assert.ok(summary.x > want.x + want.width);
  assert.deepEqual([birth.y, death.y], [death.y, pronouns.y]);
  assert.ok(pronouns.width < want.width);
  await noAxeFaults(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await until(async () => (await at('pronouns')).y > (await at('birth_year')).y);
  assert.equal((await at('want')).y, (await at('summary')).y);
  await page.setViewportSize({ width: 300, height: 800 });
  await until(async () => (await at('summary')).y > (await at('want')).y);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('the fields of an object are edited one by one in their section', async (t) => {
  const page = await open(t, { schema: withLayout(LAYOUT), values: { arc: { beginning: 'at sea' } } });
  const arc = page.getByRole('region', { name: 'Arc' });
  await arc.getByRole('heading', { level: 3, name: 'Arc' }).waitFor();
  await arc.getByRole('button', { name: '2 more fields' }).click();
  await arc.getByRole('textbox', { name: 'Ending' }).fill('at home');
  const changes = () => page.evaluate(() => window.asked.filter(([what]) => what === 'change').at(-1));
  assert.deepEqual(await changes(), ['change', 'arc.ending', 'at home']);
});

test('what is folded or hidden opens by keyboard, and by itself where something is to be said', async (t) => {
  const page = await open(t, { schema: withLayout(LAYOUT) });
  const secrets = page.locator('[data-path="secrets"]');
  assert.equal(await secrets.count(), 0);
  const later = page.getByRole('button', { name: 'Later' });
  await later.press('Enter');
  await secrets.waitFor();
  await later.press('Space');
  await secrets.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '2 hidden fields' }).press('Enter');
  await page.locator('[data-path="courage"]').waitFor();
  await noAxeFaults(page);

  const other = await open(t, {
    schema: withLayout(LAYOUT),
    props: { errors: { aliases: { message: 'This is too long.' } }, wanted: { field: 'ghost' } },
  });
  await other.getByText('This is too long.').waitFor();
  await other.locator('[data-path="ghost"] :focus').waitFor();
});

test('whoever types goes on when a layout comes, changes or goes', async (t) => {
  const page = await open(t, { schema: character, values: { want: 'To hear ' } });
  const want = page.getByRole('textbox', { name: 'Want' });
  await want.click();
  await page.keyboard.press('End');
  await page.keyboard.type('a bell');
  for (const [next, heading] of [
    [withLayout(LAYOUT), 'At first sight'],
    [withLayout({ sections: [{ label: 'All', items: [{ field: 'want' }] }], hidden: [] }), 'All'],
    [withLayout({ sections: [], hidden: ['aliases'] }), 'More fields'],
    [{ ...character, 'x-form-layout': null }, null],
  ] as const) {
    await page.evaluate((schema) => window.follow(schema), next);
    if (heading) await page.getByRole('heading', { name: heading }).waitFor();
    else await page.getByRole('heading', { name: 'More fields' }).waitFor({ state: 'detached' });
    await page.keyboard.type('.');
  }
  await until(async () => (await want.inputValue()) === 'To hear a bell....');
});

test('a layout fits a phone and the other direction of writing', async (t) => {
  const page = await open(
    t,
    { schema: withLayout(LAYOUT) },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  );
  await noAxeFaults(page);
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(isTooWide, false);
});
