import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingMinutes, sizeOfText } from './words.ts';

const WORDS: readonly (readonly [string, number])[] = [
  ['', 0],
  ['  \n ', 0],
  ['One two\nthree', 3],
  ["It’s well-known, isn't it?", 4],
  ['the sailors’ gate – at last', 5],
  ['yes - no', 2],
  ['wait—what', 2],
  ['3.14 and 1,000,000 at 12:30', 5],
  ['end.Next', 2],
  ['Fußgängerübergänge überall', 2],
  ['cafe\u0301 au lait', 3],
  ['塩の門', 3],
  ['東京 Tower 2', 4],
  ['안녕 세상', 2],
  ['สวัสดีชาวโลก', 3],
  ['نص عربي قصير', 3],
  ['- **a** [[character:mira_vale|Mira Vale]]', 3],
  ['🙂 🙂', 0],
];

for (const [text, words] of WORDS)
  test(`words of ${JSON.stringify(text)}`, () => assert.equal(sizeOfText(text).words, words));

test('characters are those that people count', () => {
  assert.equal(sizeOfText('cafe\u0301').characters, 4);
  assert.equal(sizeOfText('ab\ncd  ').characters, 4);
  assert.equal(sizeOfText('a🙂b').characters, 3);
});

test('Chinese and Japanese are read at twice the number', () => {
  assert.equal(readingMinutes(sizeOfText('one two three four'), 4), 1);
  assert.equal(readingMinutes(sizeOfText('一二三四'), 4), 0.5);
});
