import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { noAxeFaults, startStudio, type WindowOptions } from './studio.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const ADDRESS = '/w/default/character/mira_vale';
const BO = { email: 'bo@example.com', password: 'another long pass phrase', display_name: 'Bo Ram' };

/** Two writers who have the same entity open, and see each other. */
async function openTogether(t: TestContext, options?: WindowOptions) {
  const studio = await startStudio(t);
  const ada = await studio.openAsOwner(ADDRESS, options);
  const bo = await studio.openAs(BO, 'editor', ADDRESS);
  for (const page of [ada, bo]) await textOf(page).waitFor();
  await ada.getByRole('img', { name: 'Bo Ram' }).first().waitFor();
  await bo.getByRole('img', { name: 'Ada' }).first().waitFor();
  return { ada, bo, file: join(studio.content, MIRA) };
}

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of Mira Vale' });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
const hasText = (page: Page, text: string) => textOf(page).getByText(text).first().waitFor();

/** Puts the cursor at the end of the line that begins so. */
async function goToEndOf(page: Page, line: string): Promise<void> {
  await textOf(page).getByText(line).first().click();
  await page.keyboard.press('End');
}

test('what one saves appears at the other, who goes on typing where they were', async (t) => {
  const { ada, bo, file } = await openTogether(t);
  const need = field(ada, 'Need');
  await need.fill('To let go.');
  await need.press('Home');
  for (let step = 0; step < 'To let'.length; step += 1) await need.press('ArrowRight');

  await field(bo, 'Want').fill('To hear the bell once more.');
  await bo.keyboard.press('Control+s');
  await until(async () => (await field(ada, 'Want').inputValue()) === 'To hear the bell once more.');
  await ada.keyboard.type(' somebody');
  assert.equal(await need.inputValue(), 'To let somebody go.');

  await ada.keyboard.press('Control+s');
  await until(async () => (await field(bo, 'Need').inputValue()) === 'To let somebody go.');
  await Promise.all([saved(ada), saved(bo)]);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^want: To hear the bell once more\.$/m);
  assert.match(text, /^need: To let somebody go\.$/m);
});

test('two people type in different paragraphs at once, and both texts are one', async (t) => {
  const { ada, bo, file } = await openTogether(t);
  await goToEndOf(ada, 'then does she take off the scarf');
  await goToEndOf(bo, 'We meet her hands first.');
  const type = async (page: Page, words: string) => {
    for (const word of words.split(' ')) await page.keyboard.type(` ${word}`, { delay: 30 });
  };
  await Promise.all([
    type(ada, 'Nobody ever asks how she chose the chair so fast and she would not tell them'),
    type(bo, 'Then the chalk on her sleeve and after that the door that she had counted'),
  ]);
  const ends = ['she would not tell them', 'the door that she had counted'];
  await until(() => ends.every((end) => readFileSync(file, 'utf8').includes(end)));
  for (const page of [ada, bo]) for (const end of ends) await hasText(page, end);

  // Nobody lost their place: each goes on behind their own last word.
  await Promise.all([ada.keyboard.type(' ever.'), bo.keyboard.type(' twice.')]);
  const whole = ['she would not tell them ever.', 'the door that she had counted twice.'];
  await until(() => whole.every((end) => readFileSync(file, 'utf8').includes(end)));
  await Promise.all([saved(ada), saved(bo)]);
});

/** Both end one line of the text in their own words, Bo first. */
async function endOneLineTwice(ada: Page, bo: Page, file: string): Promise<void> {
  const line = 'We meet her hands first.';
  await goToEndOf(ada, line);
  await goToEndOf(bo, line);
  await ada.context().setOffline(true);
  await bo.keyboard.type(' Bo saw them shake.');
  await goToEndOf(bo, 'At nine she stood before the wall');
  await bo.keyboard.type(' Bo was there.');
  await bo.keyboard.press('Control+s');
  await until(() => readFileSync(file, 'utf8').includes('Bo saw them shake.'));
  await ada.keyboard.type(' Ada saw them rest.');
  await ada.context().setOffline(false);
  await ada.getByText('Bo Ram changed the same place.').waitFor();
}

/** The text of each version in the history. */
async function savedTexts(page: Page): Promise<string[]> {
  const path = '/api/entity/character/mira_vale/revisions';
  const headers = { 'x-project-id': 'default' };
  const { revisions } = await (await page.request.get(path, { headers })).json();
  return Promise.all(
    revisions.map(async ({ version }: { version: number }) =>
      (await page.request.get(`${path}/${version}`, { headers })).text(),
    ),
  );
}

/** The version that gave way can be read and comes back, as one of two that differ. */
async function findDiscarded(page: Page): Promise<void> {
  await page.goto('/w/default/-/recycle-bin');
  await page.getByRole('button', { name: 'Look at the discarded changes to Mira Vale' }).click();
  const sheet = page.getByRole('dialog', { name: 'Mira Vale' });
  await sheet.getByText('Ada saw them rest.').waitFor();
  await noAxeFaults(page);
  await sheet.getByRole('button', { name: 'Bring back' }).click();
  await hasText(page, 'Ada saw them rest.');
  await page.getByText('Bo Ram changed the same place.').waitFor();
}

const CONFLICTS = { expected: [/net::ERR_INTERNET_DISCONNECTED/, /status of 409/] };

for (const [choice, mine, theirs] of [
  ['Keep both', true, true],
  ['Keep mine', true, false],
  ['Take theirs', false, true],
] as const) {
  test(`two people change one line: "${choice}" settles it, and what one typed elsewhere stays`, async (t) => {
    const { ada, bo, file } = await openTogether(t, CONFLICTS);
    await endOneLineTwice(ada, bo, file);
    await hasText(ada, 'Ada saw them rest.');
    await noAxeFaults(ada);

    await ada.getByRole('button', { name: 'Compare' }).click();
    const dialog = ada.getByRole('dialog', { name: 'Compare' });
    await dialog.getByText('Ada saw them rest.').waitFor();
    await dialog.getByText('Bo saw them shake.').waitFor();
    await noAxeFaults(ada);
    await dialog.getByRole('button', { name: choice }).click();
    await dialog.waitFor({ state: 'hidden' });
    await saved(ada);

    const text = readFileSync(file, 'utf8');
    assert.deepEqual(
      [text.includes('Ada saw them rest.'), text.includes('Bo saw them shake.')],
      [mine, theirs],
    );
    assert.equal(text.match(/Bo was there\./g)?.length, 1);
    for (const page of [ada, bo]) await hasText(page, mine ? 'Ada saw them rest.' : 'Bo saw them shake.');
    const texts = await savedTexts(ada);
    assert.ok(texts.some((one) => one.includes('Bo saw them shake.')));
    assert.equal(
      texts.some((one) => one.includes('Ada saw them rest.')),
      mine,
    );
    if (!mine) await findDiscarded(ada);
  });
}
