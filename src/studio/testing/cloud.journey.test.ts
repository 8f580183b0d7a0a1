import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { isCloudOff, startCloud } from './cloud.ts';
import { noAxeFaults } from './studio.ts';

const CLEO = { name: 'Cleo', email: 'cleo@example.com', password: 'a long pass phrase' };

/** With Enter, as the door asks. */
async function giveAccount(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(CLEO.email);
  await page.getByLabel('Password').fill(CLEO.password);
  await page.keyboard.press('Enter');
}

test('in a cloud somebody makes an account by mail, signs in, and changes their files line by line, all through the edge', {
  skip: isCloudOff,
}, async (t) => {
  const cloud = await startCloud(t);
  await cloud.add({ email: 'mara@example.com', password: CLEO.password }, 'Studio');

  const page = await cloud.open('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill(CLEO.name);
  await giveAccount(page);
  await page.getByRole('status').getByText(`We sent a mail to ${CLEO.email}.`).waitFor();
  await noAxeFaults(page);
  await page.goto(await cloud.mailedLink(CLEO.email));
  await page.getByRole('button', { name: `Yes, verify ${CLEO.email}` }).click();
  await page.getByRole('link', { name: 'Sign in to Canonry' }).click();
  await giveAccount(page);
  await page.getByRole('button', { name: 'You: Cleo' }).first().waitFor();

  for (const data of [
    { entity_id: 'tobin', name: 'Tobin Sark' },
    {
      entity_id: 'mira',
      name: 'Mira Vale',
      fields: { want: 'A lamp.', need: 'A rope.', flaw: 'She counts.', story_role: 'protagonist' },
      markdown_body: 'She waits.\n\nThe bell is late.\n\nNobody knows why.\n',
    },
  ])
    assert.equal((await page.request.post('/api/entity/character', { data })).status(), 201);
  const [file = ''] = globSync(join(cloud.dataDir, 'content/*/default/Characters/mira/CH_mira.md'));
  const before = readFileSync(file, 'utf8');
  await page.goto('/w/default/character/mira');
  const text = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  for (const [field, value] of [
    ['Want', 'To hear the bell.'],
    ['Need', 'Somebody at the other end.'],
    ['Flaw', 'She counts aloud.'],
  ] as const)
    await page.getByLabel(field, { exact: true }).fill(value);
  await text.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type(' She met [[tobin');
  await page.getByRole('option', { name: /Tobin Sark/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' Ask [[Odo of the Dark');
  const make = page.getByRole('option', { name: 'New entry “Odo of the Dark”' });
  await make.waitFor();
  while ((await make.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New entry “Odo of the Dark”' });
  await dialog.getByRole('button', { name: /Type/ }).press('Enter');
  await page.keyboard.type('Char');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Make it' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await until(() => text.evaluate((element) => element === document.activeElement));
  await page.keyboard.type('.');
  await page.keyboard.press('Control+s');

  const expected = [
    ['want: A lamp.', 'want: To hear the bell.'],
    ['need: A rope.', 'need: Somebody at the other end.'],
    ['flaw: She counts.', 'flaw: She counts aloud.'],
    ['She waits.', 'She waits. She met [[character:tobin]].'],
    ['The bell is late.', 'The bell is late. Ask [[character:odo_of_the_dark]].'],
  ].reduce((text, [from = '', to = '']) => text.replace(`\n${from}\n`, `\n${to}\n`), before);
  await until(
    () => readFileSync(file, 'utf8') === expected,
    () => readFileSync(file, 'utf8'),
  );
  assert.match(
    readFileSync(join(file, '../../odo_of_the_dark/CH_odo_of_the_dark.md'), 'utf8'),
    /^name: Odo of the Dark$/m,
  );
  await noAxeFaults(page);
});
