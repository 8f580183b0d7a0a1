import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './plain-text.ts';

const SEEN: readonly (readonly [string, string])[] = [
  ['## The *salt* gate', 'The salt gate'],
  ['See [[character:mira_vale|Mira]] and [[bell]].', 'See Mira and bell.'],
  ['[a map](https://example.com/a_b) ![a gate](gate.png)', 'a map a gate'],
  ['1. one\n- two\n> three', 'one\ntwo\nthree'],
  ['Seen <!-- not\nthis --> here', 'Seen   here'],
  ['Seen <!-- to the end', 'Seen  '],
  ['at https://example.com/x?y=1 now', 'at   now'],
  ['<b>bold</b>', ' bold '],
  ['2 < 3 and 4 > 1', '2 < 3 and 4 > 1'],
];

for (const [markdown, seen] of SEEN)
  test(`the text of ${JSON.stringify(markdown)}`, () => assert.equal(plainText(markdown), seen));
