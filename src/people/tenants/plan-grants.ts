import type { FeatureOverrides } from '../../access/entitlements.ts';
import { PLANS, type PlanName } from '../../access/plans.ts';
import type { Executor } from '../../platform/database/dialect.ts';

/**
 * Why a tenant has a plan: `base` is what those who run the installation chose, or the free plan of a registration; `period` is what was
 * paid for until the subscription's period ends, if less was ordered for the next one.
 */
export const GRANTED_SOURCES = ['period', 'subscription', 'beta'] as const;
const PLAN_SOURCES = ['base', ...GRANTED_SOURCES] as const;
export type PlanSource = (typeof PLAN_SOURCES)[number];

export interface PlanGrant {
  plan: PlanName;
  /** -1 for unlimited. */
  seats: number;
  /** Credits a month, for each seat where the plan pools them; -1 for unlimited. */
  creditsMonthly: number;
  /** Besides those of the plan. */
  features: FeatureOverrides;
  /** Null if it does not end by itself. */
  endsAtMs: number | null;
}

/** A grant of everything that the plan has by itself. */
export const grantOf = (planName: PlanName, more: Partial<PlanGrant> = {}): PlanGrant => ({
  plan: planName,
  seats: PLANS[planName].max_users,
  creditsMonthly: PLANS[planName].credits_monthly,
  features: {},
  endsAtMs: null,
  ...more,
});

/** The plan that a tenant has from its grants: the highest, and of equals the one named first in `PLAN_SOURCES`. */
export function planFrom(grants: ReadonlyMap<PlanSource, PlanGrant>): Omit<PlanGrant, 'endsAtMs'> {
  const ranked = PLAN_SOURCES.flatMap((source) => grants.get(source) ?? []).sort(
    (one, other) => PLANS[other.plan].tier - PLANS[one.plan].tier,
  );
  const { plan, seats, creditsMonthly } = ranked[0] ?? grantOf('free');
  // A feature that the operators of the installation switched on or off stays so.
  const features = { ...grants.get('beta')?.features, ...grants.get('base')?.features };
  return { plan, seats, creditsMonthly, features };
}

/** Gives and takes plans, in the caller's transaction. The tenant then has the highest of its plans; tokens follow within 5 seconds. */
export interface PlanGrants {
  /** Null takes the plan of that source away; sources that are left out stay. */
  put(
    db: Executor,
    tenantId: string,
    grants: Partial<Record<(typeof GRANTED_SOURCES)[number], PlanGrant | null>>,
  ): Promise<void>;
}

/** For a self-hosted core, whose plan is that of LOCAL_PLAN, whatever is bought. */
export const fixedPlan: PlanGrants = { put: async () => {} };
