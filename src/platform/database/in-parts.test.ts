import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParts } from './in-parts.ts';

test('a list of any length is asked for in parts, and the rows come in its order', async () => {
  const values = Array.from({ length: 1_201 }, (_, n) => n);
  const sizes: number[] = [];
  const rows = await inParts(values, async (part) => {
    sizes.push(part.length);
    return part.map((n) => `row ${n}`);
  });
  assert.deepEqual(sizes, [500, 500, 201]);
  assert.deepEqual(
    rows,
    values.map((n) => `row ${n}`),
  );
});

test('nothing is asked for an empty list', async () => {
  const asked: unknown[] = [];
  assert.deepEqual(await inParts([], async (part) => [asked.push(part)]), []);
  assert.deepEqual(asked, []);
});
