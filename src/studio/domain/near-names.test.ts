import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearNames } from './near-names.ts';

const NAMES = ['Mira Vale', 'Ilse Vale', 'Tobin Sark', 'Harrow Quay'].map((id) => ({ type: 'any', id }));
const search = (text: string) =>
  NAMES.filter(({ id }) =>
    id
      .toLowerCase()
      .split(' ')
      .some((word) => word.startsWith(text.toLowerCase())),
  );
const near = (text: string, most = 5) => nearNames(text, search, most).map(({ id }) => id);

test('each word finds names that begin like it', () => {
  assert.deepEqual(near('Mirra Valle'), ['Mira Vale', 'Ilse Vale']);
  assert.deepEqual(near('harow tobbin'), ['Harrow Quay', 'Tobin Sark']);
  assert.deepEqual(near('Mirra Valle', 1), ['Mira Vale']);
});

test('two letters say nothing', () => {
  assert.deepEqual(near('Miro'), ['Mira Vale']);
  assert.deepEqual(near('Mx Haxxx'), []);
});
