import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entitlementsOf, featuresOf } from './entitlements.ts';
import { PLAN_NAMES, PLANS } from './plans.ts';

test('without overrides a tenant has what its plan has', () => {
  for (const plan of PLAN_NAMES) assert.deepEqual(featuresOf(plan), PLANS[plan].features);
  assert.deepEqual(entitlementsOf('free'), {
    plan: 'free',
    tier: 0,
    tier_id: 'free',
    features: ['ai_generation'],
  });
});

test('an override wins over the plan, in both directions, and changes nothing else', () => {
  const features = featuresOf('free', { web_access: true, ai_generation: false, credits_monthly: 9 });
  assert.deepEqual(features, { ...PLANS.free.features, web_access: true, ai_generation: false });
  assert.deepEqual(entitlementsOf('indie', { web_access: false }).features.includes('web_access'), false);
  assert.equal(PLANS.free.features.web_access, false);
});
