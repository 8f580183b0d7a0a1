import { PLANS, type PlanFeature, type PlanFeatures, type PlanName } from './plans.ts';

/** A tenant's differences from its plan: flags switched on or off, and its monthly credits. */
export type FeatureOverrides = Partial<PlanFeatures> & { credits_monthly?: number };

export interface TenantPlan {
  plan: PlanName;
  overrides: FeatureOverrides;
}

/** Spec 1 §5. */
export function featuresOf(plan: PlanName, overrides: FeatureOverrides = {}): PlanFeatures {
  const { credits_monthly: _, ...flags } = overrides;
  return { ...PLANS[plan].features, ...flags };
}

export interface Entitlements {
  plan: PlanName;
  tier: number;
  tier_id: PlanName;
  features: PlanFeature[];
}

/** The features in the form that clients receive; they gate on `features` alone (spec 1 §2.7). */
export function entitlementsOf(plan: PlanName, overrides?: FeatureOverrides): Entitlements {
  const features = Object.entries(featuresOf(plan, overrides)) as [PlanFeature, boolean][];
  return {
    plan,
    tier: PLANS[plan].tier,
    tier_id: plan,
    features: features.flatMap(([feature, has]) => (has ? [feature] : [])),
  };
}
