import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/support/properties.ts';
import { openHarness } from '../../testing/harness.ts';
import type {} from './editor.harness.tsx';

const NASTY = {
  'line feeds': 'One\nTwo\n',
  'carriage returns and line feeds': 'One\r\nTwo\r\n\r\nThree',
  mixed: 'One\r\nTwo\nThree\r\n',
  'lone carriage returns': 'One\rTwo\r\rThree\r',
  'a byte order mark': '\ufeff# One\r\n',
  'separators of Unicode': 'One\u2028Two\u2029Three\u0085Four',
  'controls and nothing else': '\0\x01\x7f\x1b',
  'combining letters and emoji': 'e\u0301 🏳️‍🌈 👩‍👩‍👧 \u202eabc',
  'no text': '',
  'only breaks': '\r\n\r\n\n',
};

test('a text comes out as it went in, and after an edit with that edit alone', async (t) => {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  const textOf = () => page.evaluate(() => window.harness.editor.text());
  for (const [name, text] of Object.entries(NASTY)) {
    await page.evaluate((given) => window.harness.open(given), text);
    assert.equal(await textOf(), text, name);
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Xy');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Z');
    assert.equal(await textOf(), `Xy${text}Z`, name);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    assert.equal(await textOf(), text, name);
  }
});

test('any text comes out as it went in', async (t) => {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  const pieces = [
    'a',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\ufeff',
    '\u2028',
    '\0',
    'e\u0301',
    '🏳️‍🌈',
    '[[mira_vale]]',
    '# ',
    '**',
    '`',
    '|',
  ];
  const texts = fc.sample(
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
    300,
  );
  const outcomes = await page.evaluate(
    (given) =>
      given.map((text) => {
        window.harness.open('');
        window.harness.editor.setText(text);
        return window.harness.editor.text();
      }),
    texts,
  );
  assert.deepEqual(outcomes, texts);
});

test('Enter, Backspace and Delete keep the style of the line ends', async (t) => {
  const page = await openHarness(t, import.meta.url, './editor.harness.tsx');
  const after = async (text: string, ...keys: string[]) => {
    await page.evaluate((given) => window.harness.open(given), text);
    for (const key of keys) await page.keyboard.press(key);
    return page.evaluate(() => window.harness.editor.text());
  };
  assert.equal(await after('ab\r\ncd\r\n', 'ArrowRight', 'Enter'), 'a\r\nb\r\ncd\r\n');
  assert.equal(await after('ab\r\ncd\n', 'ArrowRight', 'Enter'), 'a\r\nb\r\ncd\n');
  assert.equal(await after('ab\r\ncd\n', 'ArrowDown', 'Enter'), 'ab\r\n\ncd\n');
  assert.equal(await after('ab\r\ncd\n', 'End', 'x'), 'abx\r\ncd\n');
  assert.equal(await after('ab\r\ncd\n', 'End', 'Delete'), 'abcd\n');
  assert.equal(await after('ab\r\ncd\n', 'ArrowDown', 'Backspace'), 'abcd\n');
  assert.equal(await after('ab\r\ncd\n', 'End', 'Shift+Home', 'x'), 'x\r\ncd\n');
  assert.equal(await after('ab\r\ncd\n', 'End', 'Enter', 'Control+z'), 'ab\r\ncd\n');
});
