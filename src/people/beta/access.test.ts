import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessFrom } from './access.ts';

const team = { plan: 'team', features: { sso: false }, fromMs: 0, endsAtMs: 100 } as const;
const enterprise = { plan: 'enterprise', features: { sso: true }, fromMs: 50, endsAtMs: 60 } as const;

test('while access runs, the highest plan and the latest end count, and stay so', () => {
  const both = { plan: 'enterprise', features: { sso: true }, endsAtMs: 100 };
  for (const nowMs of [50, 60, 99]) assert.deepEqual(accessFrom([enterprise, team], nowMs), both);
  assert.equal(accessFrom([enterprise, team], 100), null);
  assert.equal(accessFrom([], 0), null);
});

test('a code that is redeemed after the end begins anew', () => {
  const later = { plan: 'indie', features: {}, fromMs: 100, endsAtMs: 200 } as const;
  assert.deepEqual(accessFrom([enterprise, later, team], 150), {
    plan: 'indie',
    features: {},
    endsAtMs: 200,
  });
});
