import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { openHarness } from '../../testing/harness.ts';
import type {} from './editor.harness.tsx';

async function open(t: TestContext, text = ''): Promise<Page> {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  await page.evaluate((given) => window.harness.open(given), text);
  return page;
}

const textOf = (page: Page) => page.evaluate(() => window.harness.editor.text());

const becomes = (page: Page, text: string) =>
  until(
    async () => (await textOf(page)) === text,
    () => textOf(page),
  );

test('[[ and a name write a link', async (t) => {
  const page = await open(t);
  await page.keyboard.type('She knows [[mira');
  await page.keyboard.press('Enter');
  await becomes(page, 'She knows [[character:mira_vale]]');
  await page.keyboard.type(' and [[');
  await page.getByRole('option', { name: 'Old Town' }).click();
  await becomes(page, 'She knows [[character:mira_vale]] and [[location:old_town]]');
});

test('Enter takes the best name before the list of names is open', async (t) => {
  const page = await open(t);
  await page.keyboard.type('[[mir');
  await page.evaluate(() => {
    document.execCommand('insertText', false, 'a');
    const enter = { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', enter));
  });
  await becomes(page, '[[character:mira_vale]]');
});

test('brackets that are closed already are not closed twice', async (t) => {
  const page = await open(t, '[[]]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('miro');
  await page.getByRole('option', { name: 'Miro Character' }).waitFor();
  await page.keyboard.press('Enter');
  await becomes(page, '[[character:miro]]');
});

test('the last item makes an entity, and links it where its name has moved to', async (t) => {
  const page = await open(t, '\n\nEnd.');
  await page.keyboard.type('[[Salt Bay');
  await page.getByRole('option', { name: 'Make “Salt Bay”' }).click();
  await becomes(page, '[[Salt Bay]]\n\nEnd.');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('See ');
  await page.evaluate(() => window.harness.heard.made[0]?.resolve({ type: 'location', id: 'salt_bay' }));
  await becomes(page, 'See [[location:salt_bay]]\n\nEnd.');
});

test('an entity that was not made leaves its name', async (t) => {
  const page = await open(t);
  await page.keyboard.type('[[Salt Bay');
  await page.getByRole('option', { name: 'Make “Salt Bay”' }).click();
  await page.evaluate(() => window.harness.heard.made[0]?.resolve(null));
  await page.keyboard.type('.');
  await becomes(page, '[[Salt Bay]].');
});

test('links open by key and by click, and not by a mere click', async (t) => {
  const page = await open(t, 'To [[character:miro]].\n');
  const opened = () => page.evaluate(() => window.harness.heard.opened);
  const miro = page.getByText('Miro', { exact: true });
  await page.keyboard.press('Control+End');
  await miro.click({ modifiers: ['Control'] });
  await until(async () => (await opened()).length === 1);
  await miro.click();
  await page.getByText('[[character:miro]]').waitFor();
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Shift+Enter');
  await page.keyboard.press('Control+Enter');
  assert.deepEqual(await opened(), [
    { type: 'character', id: 'miro', beside: false },
    { type: 'character', id: 'miro', beside: true },
    { type: 'character', id: 'miro', beside: false },
  ]);
  assert.equal(await textOf(page), 'To [[character:miro]].\n');
});

test('a resting pointer shows the card of an entity', async (t) => {
  const page = await open(t, 'To [[character:miro]].\n\nEnd.');
  await page.keyboard.press('Control+End');
  await page.getByText('Miro').hover();
  await page.getByText('Card of miro').waitFor();
  await page.mouse.move(600, 600);
  await until(() => page.evaluate(() => window.harness.heard.cards.includes('miro closed')));
});

test('a finding is underlined, and says what it found', async (t) => {
  const page = await open(t, 'One.\n\nShe was born in 1187.\n');
  await page.evaluate(() =>
    window.harness.editor.setMarks([
      { line: 3, columns: { from: 16, to: 20 }, severity: 'error', message: 'She is older than her mother.' },
      { line: 99, severity: 'info', message: 'Of a line that is gone.' },
    ]),
  );
  await page.keyboard.type('Two. ');
  assert.equal(await page.locator('.ce-finding-error').textContent(), '1187');
  await page.locator('.ce-finding-error').hover();
  await page.getByText('She is older than her mother.').waitFor();
});

test('names that stand unlinked are linked one by one or all at once', async (t) => {
  const page = await open(t, 'Mira Vale, Mira and `Mira Vale` in [[location:old_town]], Old Town.');
  await page.keyboard.press('Control+Shift+l');
  await page.getByText('3 names stand unlinked.').waitFor();
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('button', { name: 'Link to Mira Vale' }).click();
  await page.getByRole('button', { name: 'Link all' }).click();
  await becomes(
    page,
    'Mira Vale, [[character:mira_vale|Mira]] and `Mira Vale` in [[location:old_town]], [[location:old_town]].',
  );
  await page.getByRole('button', { name: 'Link all' }).waitFor({ state: 'detached' });
});
