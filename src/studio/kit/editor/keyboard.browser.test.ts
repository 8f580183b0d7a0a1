import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { until } from '../../../../test/support/until.ts';
import { openHarness } from '../../testing/harness.ts';
import type {} from './editor.harness.tsx';

async function open(t: TestContext, text = '', options = {}): Promise<Page> {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  await page.evaluate(({ text, options }) => window.harness.open(text, options), { text, options });
  return page;
}

const textOf = (page: Page) => page.evaluate(() => window.harness.editor.text());
/** The search is loaded with the first look into a text. */
const openSearch = (page: Page) =>
  until(async () => {
    await page.keyboard.press('Control+f');
    return (await page.getByRole('searchbox', { name: 'Find' }).count()) > 0;
  });
const isFocused = (page: Page) =>
  page.evaluate(() => document.activeElement?.className.includes('cm-content'));

test('it is a text box with a name, a language and a way out', async (t) => {
  const page = await open(t);
  const box = page.getByRole('textbox', { name: 'Text of Mira Vale' });
  assert.match(await box.ariaSnapshot(), /textbox/);
  const description = await box.evaluate(
    (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
  );
  assert.equal(description, 'Press Escape, then Tab, to leave the text.');
  assert.equal(await box.getAttribute('lang'), 'en');
  assert.equal(await box.getAttribute('spellcheck'), 'true');
});

test('Escape, then Tab leaves it, however much later, also from a list', async (t) => {
  const page = await open(t, '- item');
  await page.keyboard.press('Tab');
  assert.equal(await textOf(page), '  - item');
  assert.ok(await isFocused(page));
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    const later = Date.now() + 3_600_000;
    Date.now = () => later;
  });
  await page.keyboard.press('Tab');
  assert.ok(!(await isFocused(page)));
});

test('Ctrl F finds in the whole text, also what is out of view, and goes on there', async (t) => {
  const rows = Array.from({ length: 400 }, (_, index) => `Row ${index} (a.b)`);
  const page = await open(t, `${rows.join('\n')}\nThe END - (A.B)`);
  const input = page.getByRole('searchbox', { name: 'Find' });
  await openSearch(page);
  await page.keyboard.type('(a.b');
  await page.getByText('1 of 401').waitFor();
  await input.fill('D - (');
  await page.getByText('1 of 1').waitFor();
  await input.fill('(a.b');
  await page.getByText('401 of 401').waitFor();
  await page.locator('.cm-searchMatch-selected', { hasText: '(A.B' }).waitFor();
  await page.keyboard.press('Shift+Enter');
  await page.getByText('400 of 401').waitFor();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Enter');
  await page.getByText('2 of 401').waitFor();
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  assert.ok(await isFocused(page));
  await page.keyboard.type('found');
  assert.match(await textOf(page), /^Row 0 \(a\.b\)\nRow 1 found\)\nRow 2/);
});

test('what is found is replaced, one by one or all, and taken back', async (t) => {
  const before = 'Mira, mira\r\nand MIRA. (a.b)';
  const page = await open(t, before);
  const other = page.getByRole('textbox', { name: 'Replace with' });
  await openSearch(page);
  await page.keyboard.type('mira');
  await page.getByText('1 of 3').waitFor();
  await other.fill('$& Vale');
  await page.keyboard.press('Enter');
  await page.getByText('1 of 2').waitFor();
  assert.equal(await textOf(page), before.replace('Mira', '$$& Vale'));
  await page.getByRole('button', { name: 'Replace all' }).click();
  assert.equal(await textOf(page), before.replaceAll(/mira/gi, '$$& Vale'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.equal(await textOf(page), before);
});

test('a search that begins with a selection replaces with what stands in its field', async (t) => {
  const page = await open(t, 'Oda saw Mira, who saw Oda. Brühe, Bru.');
  const input = page.getByRole('searchbox', { name: 'Find' });
  const other = page.getByRole('textbox', { name: 'Replace with' });
  await openSearch(page);
  await input.fill('Mira');
  await other.fill('Vale');
  await page.locator('.cm-line').dblclick({ position: { x: 8, y: 8 } });
  await page.keyboard.press('Control+f');
  assert.equal(await input.inputValue(), 'Oda');
  assert.equal(await other.inputValue(), 'Vale');
  await page.getByRole('button', { name: 'Replace all' }).click();
  assert.equal(await textOf(page), 'Vale saw Mira, who saw Vale. Brühe, Bru.');

  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+f');
  assert.equal(await other.inputValue(), 'Vale');
  await input.fill('bru');
  await page.getByText('1 of 1').waitFor();
});

test('a text that cannot be written has no way to replace', async (t) => {
  const page = await open(t, 'Mira', { readOnly: true });
  await openSearch(page);
  assert.equal(await page.getByRole('button', { name: /Replace/ }).count(), 0);
});

test('lists and quotes go on with Enter, and end with a second one', async (t) => {
  const page = await open(t);
  await page.keyboard.type('- [x] one\ntwo\n\nText\n9. nine\nten\n\n> said\nmore\n\nEnd');
  assert.equal(await textOf(page), '- [x] one\n- [ ] two\nText\n9. nine\n10. ten\n> said\n> more\nEnd');
});

test('keys for bold and italic put their marks and take them away', async (t) => {
  const page = await open(t, 'word');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+b');
  assert.equal(await textOf(page), '**word**');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+i');
  assert.equal(await textOf(page), '*word*');
});

test('letters that are composed arrive once, and what they replace goes', async (t) => {
  const page = await open(t, '**Bold** [[character:miro]] .');
  const session = await page.context().newCDPSession(page);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  for (const text of ['に', 'にほ', 'にほん'])
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await page.waitForTimeout(200);
  await session.send('Input.insertText', { text: '日本' });
  await until(
    async () => (await textOf(page)) === '**Bold** [[character:miro]] 日本.',
    () => textOf(page),
  );
  await session.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
  await session.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
  assert.equal(await textOf(page), '**Bold** [[character:miro]] 日本.');
});

test('the place of the cursor is told once it rests', async (t) => {
  const page = await open(t, '# Who She Is\n\nText.\n\n## Ende der *Welt* ##\n\nMore.\n');
  const place = () => page.evaluate(() => window.harness.heard.places.at(-1));
  const isAt = async (heading: string, line: number, at: number) =>
    isDeepStrictEqual(await place(), { heading, line, selection: { start: at, end: at } });
  await page.keyboard.press('Control+End');
  await until(() => isAt('ende-der-welt', 8, 50), place);
  assert.ok(await page.evaluate(() => window.harness.editor.goToHeading('who-she-is')));
  await until(() => isAt('who-she-is', 1, 0), place);
  assert.ok(!(await page.evaluate(() => window.harness.editor.goToHeading('nothing'))));
  await page.evaluate(() => window.harness.editor.goToLine(99));
  await until(() => isAt('ende-der-welt', 8, 50), place);
});

test('a text that may only be read takes no letters, tasks or pictures', async (t) => {
  const page = await open(t, 'Read.\n\n- [ ] task\n', { readOnly: true });
  await page.keyboard.type('x');
  await page.keyboard.press('Control+Shift+l');
  await page.keyboard.press('Control+b');
  assert.ok(await page.getByRole('checkbox').isDisabled());
  assert.equal(await textOf(page), 'Read.\n\n- [ ] task\n');
});
