import { PLANS, type PlanFeature, type PlanFeatures, type PlanName } from './plans.ts';

/** Where a tenant differs from its plan: flags that are on or off, and its credits a month. */
export type FeatureOverrides = Partial<PlanFeatures> & { credits_monthly?: number };

/** What a tenant has. */
export interface TenantPlan {
  plan: PlanName;
  overrides: FeatureOverrides;
}

/** What a tenant may do: the flags of its plan, and where there is an override, that (spec 1 §5). */
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

/** The same as clients are told it; they gate on `features` alone (spec 1 §2.7). */
export function entitlementsOf(plan: PlanName, overrides?: FeatureOverrides): Entitlements {
  const features = Object.entries(featuresOf(plan, overrides)) as [PlanFeature, boolean][];
  return {
    plan,
    tier: PLANS[plan].tier,
    tier_id: plan,
    features: features.flatMap(([feature, has]) => (has ? [feature] : [])),
  };
}
