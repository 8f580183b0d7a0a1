import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bothOf, disputesOf, settledFields, sidesOf } from './conflict-merge.ts';

const side = (fields: Record<string, unknown>, name = 'Mira') => ({
  name,
  status: 'active',
  fields,
  markdown_body: '',
});
const sides = {
  base: side({ age: 30, home: 'quay', arc: { start: 'a', end: 'b' } }),
  mine: side({ age: 31, home: 'quay', arc: { start: 'mine', end: 'mine' } }, 'Mira V.'),
  theirs: side({ age: 32, home: 'hill', arc: { start: 'a', end: 'theirs' } }),
};

test('only what both changed in different ways is disputed', () => {
  assert.deepEqual(
    disputesOf(sides).map(({ field, base, mine, theirs }) => [field, base, mine, theirs]),
    [
      ['age', 30, 31, 32],
      ['arc.end', 'b', 'mine', 'theirs'],
    ],
  );
});

test('what is sent has the chosen values, and both changes around them', () => {
  const chosen = new Map<string, unknown>([
    ['age', 31],
    ['arc.end', 'other words'],
  ]);
  assert.deepEqual(settledFields(sides, ['age', 'arc.end', 'markdown_body'], chosen), {
    age: 31,
    arc: { start: 'mine', end: 'other words' },
  });
});

test('without a common state all that differs is disputed', () => {
  const fields = disputesOf({ ...sides, base: null }).map(({ field }) => field);
  assert.deepEqual(fields.sort(), ['age', 'arc.end', 'arc.start', 'home', 'name']);
});

test('a save that was refused is mine, and what an install pushed too', () => {
  const record = { base: null, local: side({}, 'Local'), remote: side({}, 'Remote') };
  assert.equal(sidesOf({ ...record, pushed: false }).mine.name, 'Remote');
  assert.equal(sidesOf({ ...record, pushed: true }).mine.name, 'Local');
  assert.equal(sidesOf({ ...record, pushed: true }).theirs.name, 'Remote');
});

test('both are taken where they go together', () => {
  const both = (mine: unknown, theirs: unknown) => bothOf({ field: '', base: null, mine, theirs });
  assert.deepEqual(both(['a', 'b'], ['b', 'c']), ['a', 'b', 'c']);
  assert.equal(both('one', 'two'), 'one\n\ntwo');
  assert.equal(both(1, 2), undefined);
});
