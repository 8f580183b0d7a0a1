import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuseRanks } from './fuse-ranks.ts';

test('what several lists name comes before the first of any', () => {
  assert.deepEqual(
    fuseRanks([
      ['a', 'b', 'c'],
      ['d', 'b', 'e'],
    ]),
    ['b', 'a', 'd', 'c', 'e'],
  );
});

test('one list keeps its order, and none is nothing', () => {
  assert.deepEqual(fuseRanks([['x', 'y'], []]), ['x', 'y']);
  assert.deepEqual(fuseRanks([]), []);
});
