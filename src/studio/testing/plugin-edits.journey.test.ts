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
  // A frame that has the focus has the keys too.
  await page.getByLabel('Want', { exact: true }).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('menuitem', { name }).first().waitFor();
  await page.keyboard.press('Enter');
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
