import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloursIn, hexOf } from './hex.ts';

test('hex codes of every usual length', () => {
  assert.equal(hexOf(' #0BC '), '#00bbcc');
  assert.equal(hexOf('0b3d5c'), '#0b3d5c');
  assert.equal(hexOf('#1234'), '#11223344');
  assert.equal(hexOf('#11223344'), '#11223344');
  for (const text of ['', '#', '#12', '#12345', 'red', '#gggggg', '#1234567'])
    assert.equal(hexOf(text), null, text);
});

const PASTED: readonly (readonly [string, string])[] = [
  ['#abc, #def', '#aabbcc #ddeeff'],
  ['Deep sea: #0b3d5c\nFoam = #eef', 'Deep sea#0b3d5c Foam#eeeeff'],
  ['https://palettes.example/264653-2a9d8f-e9c46a', '#264653 #2a9d8f #e9c46a'],
  ['264653\n2A9D8F', '#264653 #2a9d8f'],
  ['"sea": "#0b3d5c", "foam": "#eeeeff"', 'sea#0b3d5c foam#eeeeff'],
  ['a facade in a decade', ''],
  ['facade', '#facade'],
  ['ticket #12345 and #1234567', ''],
  ['', ''],
];

for (const [text, found] of PASTED)
  test(`colours in ${JSON.stringify(text)}`, () =>
    assert.equal(
      coloursIn(text)
        .map(({ name, hex }) => name + hex)
        .join(' '),
      found,
    ));
