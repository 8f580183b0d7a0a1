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
