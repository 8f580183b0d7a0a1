import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeletionGuard } from './deletion-guard.ts';

test('of 120 that vanish one after another, most stay', () => {
  let now = 0;
  const guard = createDeletionGuard(() => now);
  let present = 120;
  for (let index = 0; index < 120; index += 1) {
    now += 400;
    const key = `character/person_${index}`;
    if (guard.massOf([key], present) !== null) break;
    guard.note([key]);
    present -= 1;
  }
  assert.equal(present, 120 - 36);
});

test('what is tried again counts once, and what was confirmed no more', () => {
  const guard = createDeletionGuard(() => 0);
  const ten = Array.from('abcdefghij');
  guard.note(ten);
  assert.equal(guard.massOf(ten, 36), null);
  assert.deepEqual(guard.massOf(['k'], 26), { deletions: 11, of: 36 });
  guard.settle();
  assert.equal(guard.massOf(['k'], 26), null);
});

test('a few of a small world may go one after another, and not at once', () => {
  const guard = createDeletionGuard(() => 0);
  for (const [gone, key] of ['a', 'b', 'c', 'd'].entries()) {
    assert.equal(guard.massOf([key], 5 - gone), null);
    guard.note([key]);
  }
  assert.deepEqual(createDeletionGuard(() => 0).massOf(['a', 'b'], 5), { deletions: 2, of: 5 });
});

test('ten that go one after another are never too many, however few there were; the eleventh is', () => {
  const guard = createDeletionGuard(() => 0);
  const asked = Array.from('abcdefghijk', (key, gone) => {
    const mass = guard.massOf([key], 12 - gone);
    guard.note([key]);
    return mass;
  });
  assert.deepEqual(asked, [...Array(10).fill(null), { deletions: 11, of: 12 }]);
});

test('nothing to delete is no mass, whatever went before', () => {
  const guard = createDeletionGuard(() => 0);
  guard.note(Array.from('abcdefghijkl'));
  assert.equal(guard.massOf([], 3), null);
});

test('a deletion counts for a minute, and the guard is idle when none does', () => {
  let now = 0;
  const guard = createDeletionGuard(() => now);
  assert.equal(guard.isIdle(), true);
  guard.note(Array.from('abcdefghij'));
  now = 60_000;
  assert.equal(guard.isIdle(), false);
  assert.deepEqual(guard.massOf(['k'], 2), { deletions: 11, of: 12 });
  now = 60_001;
  assert.equal(guard.massOf(['k'], 2), null);
  assert.equal(guard.isIdle(), true);
});
