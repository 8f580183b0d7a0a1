import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldDifferencesOf, wordsOfChange } from './field-differences.ts';

test('what is no change is left out, and what a side does not have is undefined', () => {
  assert.deepEqual(fieldDifferencesOf([7, { kind: 'added' }, { field: 'age', kind: 'added', after: 3 }]), [
    { field: 'age', before: undefined, after: 3 },
  ]);
});

test('of objects only what differs in them is told', () => {
  const before = { beginning: 'A', ending: 'B', deep: { one: 1, two: 2 } };
  const after = { beginning: 'A', ending: 'C', deep: { one: 1, two: 3 } };
  assert.deepEqual(fieldDifferencesOf([{ field: 'arc', kind: 'changed', before, after }]), [
    { field: 'arc.ending', before: 'B', after: 'C' },
    { field: 'arc.deep.two', before: 2, after: 3 },
  ]);
});

test('values with the same words are shown as a file has them', () => {
  assert.deepEqual(wordsOfChange({ before: 1, after: 2 }, String), { before: '1', after: '2' });
  assert.deepEqual(wordsOfChange({ before: '164', after: 164 }, String), { before: '"164"', after: '164' });
  assert.deepEqual(
    wordsOfChange({ before: undefined, after: '' }, () => ''),
    { before: '', after: '""' },
  );
});
