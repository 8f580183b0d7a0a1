import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { PlanName } from '../../access/plans.ts';

/** A customer: people who share content, a plan and its bill. Times are ISO 8601. */
export interface Tenant {
  tenantId: string;
  name: string;
  /** Unique, for addresses. */
  slug: string;
  plan: PlanName;
  /** Seats; -1: no limit. */
  maxUsers: number;
  /** -1: no limit. */
  creditsMonthly: number;
  overrides: FeatureOverrides;
  /** Whether its admins run the installation: they make tenants and give features. */
  isOperator: boolean;
  createdAt: string;
  /** When access ends and the content goes; null unless an owner asked for it. */
  deletesAt: string | null;
}
