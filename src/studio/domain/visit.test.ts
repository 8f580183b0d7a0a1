import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitAt } from './visit.ts';

const MINUTE = 60_000;

test('a visit goes on over short absences, and begins anew after a long one', () => {
  const first = visitAt(0, null);
  assert.deepEqual(first, { seen: 0, before: null });
  const still = visitAt(20 * MINUTE, first);
  assert.deepEqual(still, { seen: 20 * MINUTE, before: null });
  const next = visitAt(80 * MINUTE, still);
  assert.deepEqual(next, { seen: 80 * MINUTE, before: 20 * MINUTE });
  assert.deepEqual(visitAt(90 * MINUTE, next), { seen: 90 * MINUTE, before: 20 * MINUTE });
});
