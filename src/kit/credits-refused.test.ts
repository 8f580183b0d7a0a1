import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditsRefused } from './credits-refused.ts';

const upgrade_url = '/api/billing/checkout';

test('too few credits are a 402 that says how many there are', () => {
  const { status, message, extras } = creditsRefused({ outcome: 'refused', needed: 40, available: 30 });
  assert.equal(status, 402);
  assert.match(message, /40 .*30 /);
  const body = { balance: 30, needed: 40, available: 30, upgrade_url };
  assert.deepEqual(extras, { code: 'insufficient_credits', body });
});

test('a quota that is used up is told apart from the balance', () => {
  for (const reason of ['user_quota', 'team_quota'] as const) {
    const { extras } = creditsRefused({ outcome: 'refused', needed: 40, available: 0, reason, balance: 90 });
    const body = { balance: 90, needed: 40, available: 0, upgrade_url };
    assert.deepEqual(extras, { code: `${reason}_reached`, body });
  }
});
