import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { noAxeFaults, shareStudio } from './studio.ts';

const shared = shareStudio();

const BO = { email: 'bo@example.com', password: 'another long pass phrase', display_name: 'Bo Ram' };
const MIRA = 'Characters/mira_vale/CH_mira_vale.md';

test('the text links an entity, and makes another one from a name', async (t) => {
  const studio = await shared(t);
  const file = join(studio.content, MIRA);
  const before = readFileSync(file, 'utf8');
  const page = await studio.openAsOwner('/w/default/character/mira_vale');
  const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('She met [[tobin');
  await page.getByRole('option', { name: /Tobin Sark/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' and [[Odo of the Dark');
  const make = page.getByRole('option', { name: 'New entry “Odo of the Dark”' });
  await make.waitFor();
  while ((await make.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await noAxeFaults(page);
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: 'New entry “Odo of the Dark”' });
  await dialog.getByRole('button', { name: /Type/ }).press('Enter');
  await page.keyboard.type('Char');
  await page.keyboard.press('Enter');
  await noAxeFaults(page);
  await dialog.getByRole('button', { name: 'Make it' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  // The user goes on where they were, behind the link.
  await until(() => text.evaluate((element) => element === document.activeElement));
  await page.keyboard.type(' there.');

  const line = 'She met [[character:tobin_sark]] and [[character:odo_of_the_dark]] there.';
  await until(() => readFileSync(file, 'utf8').includes(line));
  const added = readFileSync(file, 'utf8')
    .split('\n')
    .filter((each) => !before.includes(each));
  assert.deepEqual(
    added.filter((each) => !each.startsWith('last_updated:')),
    [line],
  );
  assert.ok(existsSync(join(studio.content, 'Characters/odo_of_the_dark/CH_odo_of_the_dark.md')));

  // The new link leads to the new entity.
  await page.keyboard.press('End');
  for (let step = 0; step < ' there.'.length + 1; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL('**/character/odo_of_the_dark', { waitUntil: 'commit' });
});

test('an entry is looked at and edited above the list, which has the focus again afterwards', async (t) => {
  const studio = await shared(t);
  const file = () => readFileSync(join(studio.content, MIRA), 'utf8');
  const bo = await studio.openAs(BO, 'editor', '/w/default/character/mira_vale');
  await bo.getByLabel('Want', { exact: true }).waitFor();
  const page = await studio.openAsOwner('/w/default/character');
  const row = page.getByRole('link', { name: 'Mira Vale' });
  await row.focus();
  await page.keyboard.press('Space');
  const sheet = page.getByRole('dialog', { name: 'Mira Vale' });
  await sheet.getByLabel('Want', { exact: true }).fill('To rest.');
  await sheet.getByRole('textbox', { name: 'Text of Mira Vale' }).waitFor();
  await sheet.getByRole('img', { name: 'Bo Ram' }).waitFor();
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('Mira Vale of the Bell');
  await sheet.getByRole('button', { name: /Status/ }).click();
  await page.getByRole('option', { name: 'Draft' }).click();
  await noAxeFaults(page);
  await page.keyboard.press('Control+s');
  for (const line of ['want: To rest.', 'name: Mira Vale of the Bell', 'status: draft'])
    await until(() => file().includes(`\n${line}\n`));
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('Mira Vale');
  await page.keyboard.press('Control+s');
  await until(() => file().includes('\nname: Mira Vale\n'));
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await until(() => row.evaluate((element) => element === document.activeElement));

  await page.getByRole('row', { name: /Mira Vale/ }).hover();
  await page.getByRole('button', { name: 'Look at Mira Vale' }).click();
  await sheet.getByLabel('Want', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/w/default/character/mira_vale', { waitUntil: 'commit' });
  await sheet.waitFor({ state: 'hidden' });
});

test('the entry before and the one after are those of the list that the user came from', async (t) => {
  const studio = await shared(t);
  const page = await studio.openAsOwner('/w/default/character?sort=-name');
  await page.getByRole('link', { name: 'Mira Vale' }).click();
  await page.getByRole('button', { name: 'Next in the list' }).waitFor();
  await noAxeFaults(page);
  await page.keyboard.press('Alt+ArrowUp');
  await page.waitForURL('**/w/default/character/oda_pell', { waitUntil: 'commit' });
  for (const id of ['mira_vale', 'kaethe_broemmel']) {
    await page.getByRole('button', { name: 'Next in the list' }).click();
    await page.waitForURL(`**/w/default/character/${id}`, { waitUntil: 'commit' });
  }
});
