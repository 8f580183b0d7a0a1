import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { installSample } from './install-sample.ts';
import { startStudio } from './studio.ts';

const MIRA = '/w/default/character/mira_vale';
const FILE = 'Characters/mira_vale/CH_mira_vale.md';
const SIDE = 'iframe[title="At the side (Sample)"]';

const sideOf = (page: Page) => page.frameLocator(SIDE);
const textOf = (page: Page, name: string) => page.getByRole('textbox', { name: `Text of ${name}` });
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click();

/** Without another load of the Studio, which would forget what can be undone. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Characters' }).first().click();
  await page.locator('tbody').getByRole('link', { name, exact: true }).click();
  await textOf(page, name).waitFor();
}

test('an edit of a plugin is undone on another page, and after a return, where newer words stay', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  const content = () => readFileSync(join(studio.content, FILE), 'utf8');
  const edit = async () => {
    await sideOf(page).getByRole('button', { name: 'Edit' }).click();
    await until(() => content().includes('A plugin’s text.'));
  };
  await page.goto(MIRA);
  const before = content().split('---').at(-1) ?? '';
  await edit();
  await goTo(page, 'Oda Pell');
  await undo(page);
  await until(() => content().endsWith(before));
  assert.ok(!content().includes('A plugin’s bell'));

  await goTo(page, 'Mira Vale');
  await edit();
  await goTo(page, 'Oda Pell');
  await goTo(page, 'Mira Vale');
  const want = page.getByLabel('Want', { exact: true });
  const need = page.getByLabel('Need', { exact: true });
  await need.fill('A need of her own');
  await undo(page);
  await until(async () => /^To prove/.test(await want.inputValue()));
  assert.equal(await need.inputValue(), 'A need of her own');
  await until(() => content().endsWith(before) && content().includes('A need of her own'));
});

const sideFrame = (page: Page) =>
  page.frames().find((each) => each.url().includes('/sample/side')) ?? assert.fail('no frame');

test('words that nobody has saved yet stay when a plugin gives the text anew, and when that is undone', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  await page.goto(MIRA);
  await sideOf(page).getByText('character/mira_vale').waitFor();
  const text = textOf(page, 'Mira Vale');
  const want = page.getByLabel('Want', { exact: true });
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/entity/character/mira_vale', async (route) => {
    await held;
    await route.continue();
  });
  await want.fill('A want of her own');
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('And her own words.');
  await sideFrame(page).evaluate(() =>
    window.say({ type: 'entity-modified', fields: { want: 'x', markdown_body: 'A plugin’s text.\n' } }),
  );
  await text.filter({ hasText: 'A plugin’s text.' }).filter({ hasText: 'And her own words.' }).waitFor();
  await page.getByText('Sample wanted to change Want. That was changed meanwhile').waitFor();
  assert.equal(await want.inputValue(), 'A want of her own');
  await sideOf(page).getByText('Mira Vale: A want of her own').waitFor();

  await page.keyboard.insertText(' Still hers.');
  await undo(page);
  await text.filter({ hasNotText: 'A plugin’s text.' }).filter({ hasText: 'And her own words.' }).waitFor();
  await text.filter({ hasText: 'Still hers.' }).waitFor();
  answer();
  await until(() => {
    const content = readFileSync(join(studio.content, FILE), 'utf8');
    return content.includes('And her own words. Still hers.') && content.includes('A want of her own');
  });
});

test('a widget stays the same page when its new entity gets its id, and learns it', async (t) => {
  const studio = await startStudio(t);
  const page = await installSample(studio);
  const layout = {
    sections: [
      { label: 'Fields', items: [{ field: 'want', widget: 'plugin:sample:meter' }, { field: 'need' }] },
    ],
    hidden: [],
  };
  const headers = { origin: studio.url };
  const reply = await page.request.put('/api/layouts/character', { headers, data: layout });
  assert.equal(reply.status(), 200, await reply.text());

  await page.goto('/w/default/-/new/character');
  await page.getByLabel('Name', { exact: true }).fill('Odo Reed');
  const widget = page.frameLocator('iframe[title="Meter (Sample)"]');
  await widget.getByText('character/null').waitFor();
  const value = widget.getByLabel('Value');
  await value.click();
  await page.keyboard.type('By a meter');
  // Of this, the page of the plugin tells the Studio nothing.
  await value.evaluate((input: HTMLInputElement) => {
    input.oninput = null;
  });
  await page.keyboard.type(', and more');
  await page.waitForURL('**/w/default/character/odo_reed', { waitUntil: 'commit' });
  await widget.getByText('character/odo_reed').waitFor();
  await page.keyboard.type('!');
  assert.equal(await value.inputValue(), 'By a meter, and more!');
});
