import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepBest } from './ranking.ts';

test('a list has the best in order, whichever way they come, and equals as they came', () => {
  const best: { size: number; at: number }[] = [];
  for (const [at, size] of [3, 9, 1, 9, 4, 7].entries())
    keepBest(best, { size, at }, 4, (one, other) => one.size > other.size);
  assert.deepEqual(
    best.map(({ size, at }) => [size, at]),
    [
      [9, 1],
      [9, 3],
      [7, 5],
      [4, 4],
    ],
  );
  keepBest(best, { size: 1, at: 6 }, 4, (one, other) => one.size > other.size);
  assert.equal(best.length, 4);
  const none: number[] = [];
  keepBest(none, 1, 0, () => true);
  assert.deepEqual(none, []);
});
