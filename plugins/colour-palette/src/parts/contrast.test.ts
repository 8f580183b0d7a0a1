import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrastOf, gradeOf } from './contrast.ts';

test('contrasts are those of WCAG', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21);
  assert.equal(contrastOf('#0b3d5c', '#0b3d5c'), 1);
  assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrastOf('#ffffff', '#767676').toFixed(2), '4.54');
});

test('grades begin where WCAG says', () => {
  const ratios = [21, 7, 6.99, 4.5, 4.49, 3, 2.99, 1];
  assert.deepEqual(ratios.map(gradeOf), ['AAA', 'AAA', 'AA', 'AA', 'large', 'large', 'none', 'none']);
});
