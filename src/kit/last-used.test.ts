import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLastUsed } from './last-used.ts';

test('what was not used for longest goes first', () => {
  const kept = createLastUsed<number>({ most: 2 });
  kept.set('one', 1);
  kept.set('two', 2);
  assert.equal(kept.get('one'), 1);
  kept.set('three', 3);
  assert.deepEqual([kept.get('one'), kept.get('two'), kept.get('three')], [1, undefined, 3]);
  kept.set('three', 4);
  assert.deepEqual(kept.values(), [1, 4]);
  assert.deepEqual([kept.delete('one'), kept.values()], [true, [4]]);
});

test('what is in use stays, also when that is too much, until it may go', () => {
  const busy = new Set([1, 2]);
  const kept = createLastUsed<number>({ most: 2, mayGo: (value) => !busy.has(value) });
  for (const value of [1, 2, 3]) kept.set(String(value), value);
  assert.deepEqual(kept.values(), [1, 2, 3]);
  busy.clear();
  kept.set('4', 4);
  assert.deepEqual(kept.values(), [3, 4]);
});
