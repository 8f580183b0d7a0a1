import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barHeight } from './chart.ts';
import { goalIn } from './show.ts';

test('a goal is a number of words, or none', () => {
  assert.equal(goalIn(' 500 '), 500);
  assert.equal(goalIn(''), null);
  assert.equal(goalIn('0'), null);
  for (const text of ['-1', '1.5', 'many', '1e9']) assert.equal(goalIn(text), undefined, text);
});

test('a bar is as high as its part of the highest, and can be seen', () => {
  assert.deepEqual([barHeight(0, 10), barHeight(-4, 10), barHeight(5, 0)], [0, 0, 0]);
  assert.equal(barHeight(10, 10), 54);
  assert.equal(barHeight(5, 10), 27);
  assert.equal(barHeight(1, 10_000), 2);
  assert.equal(barHeight(20, 10), 54);
});
