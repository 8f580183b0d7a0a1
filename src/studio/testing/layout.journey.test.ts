import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import type { Layout } from '../../content/layout/index.ts';
import { installSample } from './install-sample.ts';
import { noAxeFaults, type Studio, startStudio } from './studio.ts';

const MIRA = '/w/default/character/mira_vale';
const FILE = 'Characters/mira_vale/CH_mira_vale.md';
const LAYOUT_FILE = '_Templates/Layouts/character.layout.json';
const SIDE = 'iframe[title="At the side (Sample)"]';
const LAYOUT: Layout = {
  sections: [
    {
      label: 'At a glance',
      items: [
        { field: 'want', width: 'half' },
        { field: 'need', width: 'half' },
        { block: 'plugin:sample:side' },
        { block: 'references' },
      ],
    },
    { label: 'Elsewhere', items: [{ block: 'plugin:sample:foot' }, { block: 'plugin:maps:around' }] },
  ],
  hidden: ['aliases'],
};

async function putLayout(studio: Studio, page: Page, layout: Layout): Promise<void> {
  const headers = { origin: studio.url };
  const reply = await page.request.put('/api/layouts/character', { headers, data: layout });
  assert.equal(reply.status(), 200, await reply.text());
}

async function switchSample(studio: Studio, page: Page, to: 'enable' | 'disable'): Promise<void> {
  const reply = await page.request.post(`/api/plugins/sample/${to}`, { headers: { origin: studio.url } });
  assert.ok(reply.ok(), await reply.text());
}

/** But for the day of its last change. */
const linesOf = (studio: Studio): string[] =>
  readFileSync(join(studio.content, FILE), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('last_updated:'));

test('a saved layout arranges the form, with a panel in place that edits, and is followed while it is open', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  await page.goto(MIRA);
  await page.locator(SIDE).waitFor();
  await page.getByRole('tab', { name: 'Whole' }).waitFor();

  // It arrives where the form is open.
  await putLayout(studio, page, LAYOUT);
  const glance = page.getByRole('region', { name: 'At a glance' });
  await glance.getByRole('heading', { level: 3, name: 'At the side' }).waitFor();
  const panel = glance.frameLocator(SIDE);
  await panel.getByText('character/mira_vale').waitFor();
  assert.equal(await page.locator('iframe').count(), 1);
  await page.getByText(/^The layout asks for the panel “Below” of Sample, which is made for other/).waitFor();
  await page.getByText(/its plugin “maps” is not installed/).waitFor();
  await page.getByRole('button', { name: '1 hidden field' }).waitFor();
  await noAxeFaults(page);

  // The panel changes its line and no other, and the user takes it back.
  const before = linesOf(studio);
  const frame = page.frames().find((each) => each.url().includes('/sample/side')) ?? assert.fail('no frame');
  await frame.evaluate(() => window.say({ type: 'resize', height: 120 }));
  await until(async () => (await glance.locator(SIDE).boundingBox())?.height === 120);
  await frame.evaluate(() => window.say({ type: 'entity-modified', fields: { want: 'A bell of her own' } }));
  await until(
    async () => (await page.getByLabel('Want', { exact: true }).inputValue()) === 'A bell of her own',
  );
  await until(() => linesOf(studio).includes('want: A bell of her own'));
  const changed = linesOf(studio).filter((line) => !before.includes(line));
  assert.deepEqual(changed, ['want: A bell of her own']);
  assert.equal(linesOf(studio).length, before.length);
  await page.getByText('Sample changed the field Want.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await until(() => linesOf(studio).join('\n') === before.join('\n'));

  // A panel of a tab stands in the form instead, and the one of the side is back there.
  const [first] = LAYOUT.sections;
  assert.ok(first);
  await putLayout(studio, page, {
    sections: [{ ...first, items: [{ block: 'plugin:sample:tab' }, { field: 'want' }] }],
    hidden: [],
  });
  await glance.frameLocator('iframe[title="Whole (Sample)"]').getByText('character/mira_vale').waitFor();
  await page.getByRole('complementary').locator(SIDE).waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Whole' }).count(), 0);

  await switchSample(studio, page, 'disable');
  await glance.getByText('The panel “Whole” belongs here, but Sample is disabled.').waitFor();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await glance.getByRole('link', { name: 'About Sample' }).waitFor();
  await noAxeFaults(page);

  // A file that cannot be read leaves the usual form, and says so to whoever can mend it.
  writeFileSync(join(studio.content, LAYOUT_FILE), '{"sections": [');
  await page.getByText(/^The layout of this form cannot be read/).waitFor();
  assert.equal(await glance.count(), 0);
  await page.getByLabel('Aliases', { exact: true }).first().waitFor();
  await noAxeFaults(page);
  const reader = await studio.openAs(
    { email: 'vi@example.com', password: 'a long pass phrase', display_name: 'Vi' },
    'viewer',
    MIRA,
  );
  await reader.getByLabel('Want', { exact: true }).waitFor();
  assert.equal(await reader.getByText(/cannot be read/).count(), 0);
});

test('where the layout cannot be loaded, the form has all fields, and panels stand at their own places', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio, { expected: [/ERR_FAILED/] });
  await putLayout(studio, page, LAYOUT);
  await page.route(/by-layout/, (route) => route.abort());
  await page.goto(MIRA);
  await page.getByRole('complementary').locator(SIDE).waitFor();
  await page.getByLabel('Aliases', { exact: true }).first().waitFor();
  assert.equal(await page.getByRole('region', { name: 'At a glance' }).count(), 0);
});

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null,
  );

const says = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

test('who takes out parts and sections hears of it and keeps the focus', async (t) => {
  const studio = await startStudio(t);
  const page = await studio.openAsOwner('/w/default/-/types/character/layout');
  await page.getByRole('button', { name: 'Arrange Want' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Take out' }).press('Enter');
  await says(page, 'Want is no longer in Fields');
  await page.getByRole('button', { name: 'Remove the section Fields' }).press('Enter');
  await says(page, 'The section Fields is removed');
  await until(async () => (await focused(page)) === 'Add a section');
});

test('a layout is made without a file: a panel is placed by keyboard, saved, followed, and taken back', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio, { expected: [/412/] });
  const file = join(studio.content, LAYOUT_FILE);
  const saved = (): Layout => JSON.parse(readFileSync(file, 'utf8'));
  await page.goto(MIRA);
  await page.locator('header').getByRole('button', { name: 'More', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Arrange this form' }).press('Enter');
  await page.waitForURL('**/w/default/-/types/character/layout');
  await page.getByRole('heading', { level: 1, name: 'Form: Characters' }).waitFor();
  await page.getByText('No layout is saved for this type.').waitFor();
  await noAxeFaults(page);

  await page.getByRole('button', { name: 'Add a section' }).press('Enter');
  await page.keyboard.type('At a glance');
  const glance = page.getByRole('region', { name: 'At a glance' });
  await glance.getByRole('button', { name: 'Add something to At a glance' }).press('Enter');
  await page.getByRole('menuitem', { name: 'At the side (Sample)' }).press('Enter');
  await glance.getByRole('listitem').filter({ hasText: 'At the side (Sample)' }).waitFor();
  const up = page.getByRole('button', { name: 'Move At a glance up' });
  await up.press('Enter');
  await until(async () => (await focused(page)) === 'Move At a glance down');
  assert.equal(
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().textContent(),
    'At a glance',
  );

  // A field goes up through its section into the one before, and the focus goes along.
  const fields = page.getByRole('region', { name: 'Fields', exact: true });
  const aliasesUp = page.getByRole('button', { name: 'Move Aliases up' });
  await aliasesUp.press('Enter');
  await glance.getByRole('listitem').filter({ hasText: 'Aliases' }).waitFor();
  await until(async () => (await focused(page)) === 'Move Aliases up');
  await page.keyboard.press('Enter');
  await until(async () => /^Aliases/.test((await glance.getByRole('listitem').first().textContent()) ?? ''));
  await page.getByRole('button', { name: 'Arrange Aliases' }).press('Enter');
  const settings = page.getByRole('dialog', { name: 'Arrange Aliases' });
  await settings.getByRole('radio', { name: 'Half' }).press('Space');
  await settings.getByRole('button', { name: /Shown as/ }).press('Enter');
  await page.getByRole('option', { name: 'Short words' }).click();
  await noAxeFaults(page);
  await page.keyboard.press('Escape');
  await glance.getByText('Half · Short words').waitFor();
  await fields.getByRole('button', { name: 'Arrange Ghost' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).press('Enter');
  await page.getByRole('region', { name: 'Hidden fields' }).getByText('Ghost').waitFor();
  await until(
    async () => (await focused(page)) === 'Add something to Fields',
    () => focused(page),
  );
  await says(page, 'Ghost is hidden');
  await page.keyboard.press('Control+s');
  await page.getByText('The layout is saved.').waitFor();
  const [first, second] = saved().sections;
  assert.deepEqual(first?.items, [
    { field: 'aliases', width: 'half', widget: 'tags' },
    { block: 'plugin:sample:side' },
  ]);
  assert.equal(second?.label, 'Fields');
  assert.deepEqual(saved().hidden, ['ghost']);
  await page.goto(MIRA);
  await page.getByRole('region', { name: 'At a glance' }).locator(SIDE).waitFor();

  // What is changed while it saves stays, and so does what is not saved when the user looks at another page.
  await page.goto('/w/default/-/types/character/layout');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/layouts/character', async (route) => {
    if (route.request().method() === 'PUT') await held.promise;
    await route.continue();
  });
  const isSaveOff = () => page.getByRole('button', { name: 'Save', exact: true }).isDisabled();
  /** A save that is under way turns the button off. */
  const pressSave = async () => {
    await until(async () => !(await isSaveOff()));
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  };
  await page.getByRole('button', { name: 'Move At a glance down' }).press('Enter');
  await page.keyboard.press('Control+s');
  await until(isSaveOff);
  await page.getByRole('button', { name: 'Add a section' }).press('Enter');
  await page.keyboard.type('Later');
  held.resolve();
  await until(() => saved().sections[0]?.label === 'Fields');
  await until(async () => !(await isSaveOff()));
  assert.equal(await page.getByText('Somebody else has changed this layout meanwhile.').count(), 0);
  await page.getByRole('link', { name: 'All Characters' }).click();
  await page.waitForURL('**/w/default/character');
  const asked = page.waitForEvent('dialog').then((dialog) => [dialog.type(), dialog.dismiss()] as const);
  await page.close({ runBeforeUnload: true });
  assert.equal((await asked)[0], 'beforeunload');
  await page.goBack();
  await page.getByRole('region', { name: 'Later' }).waitFor();
  await page.keyboard.press('Control+s');
  await until(() => saved().sections.some(({ label }) => label === 'Later'));
  await until(isSaveOff);

  // What somebody else saves meanwhile is not written over.
  await page.getByRole('button', { name: 'Move At a glance down' }).press('Enter');
  await putLayout(studio, page, LAYOUT);
  await page.getByText('Somebody else has changed this layout meanwhile.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
  await noAxeFaults(page);
  await page.getByRole('button', { name: 'Take theirs and drop my changes' }).press('Enter');
  await page.getByRole('region', { name: 'Elsewhere' }).waitFor();

  const reader = await studio.openAs(
    { email: 'vi@example.com', password: 'a long pass phrase', display_name: 'Vi' },
    'viewer',
    '/w/default/-/types/character/layout',
  );
  await reader.getByRole('region', { name: 'Elsewhere' }).getByText('plugin:maps:around').waitFor();
  assert.equal(await reader.getByRole('main').getByRole('button').count(), 0);
  await noAxeFaults(reader);

  // Names that the type does not have are left out, and a file that cannot be read is replaced by who says so.
  const strange = { sections: [{ label: 'Who', items: [{ field: 'wnat' }, { field: 'want' }] }], hidden: [] };
  writeFileSync(file, JSON.stringify(strange));
  await page.getByText(/^The file names “wnat”, which this type does not have/).waitFor();
  await pressSave();
  await until(() => saved().sections[0]?.items.length === 1);
  writeFileSync(file, '{"sections": [');
  await page.getByText(/^The saved layout cannot be read: _Templates/).waitFor();
  await pressSave();
  await until(() => readFileSync(file, 'utf8').includes('"Fields"'));

  await page.getByRole('button', { name: 'Back to the usual form …' }).press('Enter');
  await page.getByRole('button', { name: 'Remove the layout' }).press('Enter');
  await page.getByText('No layout is saved for this type.').waitFor();
  assert.ok(!existsSync(file));
});

declare global {
  interface Window {
    say(message: object): void;
  }
}
