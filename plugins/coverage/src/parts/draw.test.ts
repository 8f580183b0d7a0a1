import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf } from './draw.ts';
import { readingTime, texts } from './texts.ts';

test('only nothing and everything have the first and the last shade', () => {
  assert.deepEqual([0, 0.001, 0.25, 0.26, 0.75, 0.999, 1].map(levelOf), [0, 1, 1, 2, 3, 4, 5]);
});

test('a long reading time is said in hours', () => {
  assert.equal(readingTime(0.4, texts.en), 'under 1 min');
  assert.equal(readingTime(61, texts.en), '61 min');
  assert.equal(readingTime(150, texts.de), '2,5 h');
});
