import type { FeatureOverrides } from '../../access/entitlements.ts';
import { PLANS, type PlanName } from '../../access/plans.ts';

/** The gifts of one redeemed code. */
export interface Redeemed {
  plan: PlanName;
  features: FeatureOverrides;
  fromMs: number;
  endsAtMs: number;
}

/** A tenant's share in the beta programme. */
export type BetaAccess = Omit<Redeemed, 'fromMs'>;

const joined = (one: BetaAccess, other: BetaAccess): BetaAccess => ({
  plan: PLANS[other.plan].tier > PLANS[one.plan].tier ? other.plan : one.plan,
  features: { ...one.features, ...other.features },
  endsAtMs: Math.max(one.endsAtMs, other.endsAtMs),
});

/**
 * The access that a tenant's codes give together, or null if it has ended. Codes that were redeemed while the access was running add
 * to it: the highest plan and the latest end count. The result is the same whenever it is computed during that access.
 */
export function accessFrom(redeemed: readonly Redeemed[], nowMs: number): BetaAccess | null {
  let access: BetaAccess | null = null;
  for (const { fromMs, ...next } of redeemed.toSorted((one, other) => one.fromMs - other.fromMs))
    access = access !== null && fromMs < access.endsAtMs ? joined(access, next) : next;
  return access !== null && access.endsAtMs > nowMs ? access : null;
}
