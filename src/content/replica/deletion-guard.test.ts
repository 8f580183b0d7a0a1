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
  guard.note(['a', 'b', 'c']);
  assert.equal(guard.massOf(['a', 'b', 'c'], 10), null);
  assert.deepEqual(guard.massOf(['d'], 7), { deletions: 4, of: 10 });
  guard.settle();
  assert.equal(guard.massOf(['d'], 7), null);
});
