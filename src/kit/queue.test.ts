import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from './queue.ts';

test('an owner with much work leaves places to others, and is refused beyond its share', async () => {
  const queue = createFairQueue({
    atOnce: 2,
    mostWaiting: 10,
    ofOwner: { atOnce: 1, mostWaiting: 2 },
    whenFull: () => new Error('full'),
  });
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const work = (owner: string) =>
    queue(owner, () => {
      begun.push(owner);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const flood = [work('greedy'), work('greedy'), work('greedy')];
  await assert.rejects(work('greedy'), /full/);
  const other = work('other');
  assert.deepEqual(begun, ['greedy', 'other']);
  for (let end = ends.shift(); end; end = ends.shift()) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all([...flood, other]);
  assert.deepEqual(begun, ['greedy', 'other', 'greedy', 'greedy']);
});

test('work that fails gives its place to the next', async () => {
  const queue = createFairQueue({
    atOnce: 1,
    mostWaiting: 10,
    ofOwner: { atOnce: 1, mostWaiting: 10 },
    whenFull: () => new Error('full'),
  });
  const failing = queue('one', async () => Promise.reject(new Error('broken')));
  const next = queue('one', async () => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'done');
});
