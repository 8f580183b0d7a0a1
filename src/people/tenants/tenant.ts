import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { PlanName } from '../../access/plans.ts';

export interface Tenant {
  tenantId: string;
  name: string;
  /** Unique, for addresses. */
  slug: string;
  plan: PlanName;
  /** Seats; -1 for unlimited. */
  maxUsers: number;
  /** -1 for unlimited. */
  creditsMonthly: number;
  overrides: FeatureOverrides;
  /** True if its admins operate the installation: they create tenants and grant features. */
  isOperator: boolean;
  createdAt: string;
  /** End of access, when the content is removed; null unless an owner requested it. */
  deletesAt: string | null;
}
