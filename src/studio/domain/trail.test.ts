import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trailAt, trailsIn, trailsPatch } from './trail.ts';

test('the last open entity comes first, once, and eight are kept', () => {
  let trail = trailAt(0, undefined, null);
  assert.deepEqual(trail, { seen: 0, before: null, recent: [] });
  for (const id of 'abcdefghij') trail = trailAt(1, trail, `item/${id}`);
  trail = trailAt(2, trail, 'item/e');
  assert.deepEqual(trail.recent.join(), 'item/e,item/j,item/i,item/h,item/g,item/f,item/d,item/c');
});

test('what others keep under the same name does no harm', () => {
  assert.deepEqual(trailsIn('recent'), {});
  const trail = { seen: 1, before: null, recent: ['item/a'] };
  assert.deepEqual(trailsIn({ a: trail, b: { seen: 'now' }, c: null, d: { ...trail, recent: [1] } }), {
    a: trail,
  });
});

test('worlds that were left long ago give way', () => {
  const trailOf = (seen: number) => ({ seen, before: null, recent: [] });
  const trails = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`w${at}`, trailOf(at)]));
  assert.deepEqual(trailsPatch(trails, 'new', trailOf(99)), {
    w0: null,
    w1: null,
    w2: null,
    new: trailOf(99),
  });
});
