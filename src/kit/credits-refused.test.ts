import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditsRefused } from './credits-refused.ts';

test('too few credits are a 402 that says how many there are', () => {
  const { status, message, extras } = creditsRefused({ outcome: 'refused', needed: 40, available: 30 });
  assert.equal(status, 402);
  assert.match(message, /40 .*30 /);
  assert.deepEqual(extras, { code: 'insufficient_credits', body: { needed: 40, available: 30 } });
});
