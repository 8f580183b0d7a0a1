import type { Kysely } from 'kysely';
import type { FeatureOverrides } from '../../access/entitlements.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { PLANS, type PlanName } from '../../access/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { Allowance, ReadAllowances } from './ledger.ts';

/** The columns of other modules of this wing that say what a tenant may spend. */
interface AllowanceTables {
  tenants: {
    tenant_id: string;
    plan: PlanName;
    max_users: number;
    credits_monthly: number;
    features: string;
    deletes_at: string | null;
  };
  tenant_plan_grants: { tenant_id: string; ends_at: number | null };
  users: { tenant_id: string; is_active: number };
}
type AllowanceDb = Kysely<AllowanceTables>;

interface Known {
  plan: PlanName;
  maxUsers: number;
  creditsMonthly: number;
  overrides: FeatureOverrides;
  isPlanEnding: boolean;
}

/** An override is the total. A pooled plan gives its number for each seat: those agreed on, or the people who may sign in. */
function monthlyOf({ plan, maxUsers, creditsMonthly, overrides }: Known, people: number): number {
  const { credits_monthly: override } = overrides;
  if (override !== undefined) return override;
  if (creditsMonthly < 0) return -1;
  const seats = maxUsers > 0 ? maxUsers : Math.max(1, people);
  return PLANS[plan].credits_pooled ? creditsMonthly * seats : creditsMonthly;
}

const allowanceOf = (known: Known, people: number): Allowance => ({
  monthly: monthlyOf(known, people),
  isPlanEnding: known.isPlanEnding,
});

async function countPeople(db: AllowanceDb, tenantIds: readonly string[]): Promise<Map<string, number>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('people')])
    .where('tenant_id', 'in', tenantIds)
    .where('is_active', '=', 1)
    .groupBy('tenant_id')
    .execute();
  return new Map(rows.map(({ tenant_id, people }) => [tenant_id, Number(people)]));
}

/** The allowances of the tenants of an accounts service. */
export const tenantAllowances =
  ({ clock }: { clock: Clock }): ReadAllowances =>
  async (executor: Executor, tenantIds) => {
    const db = executor as AllowanceDb;
    const rows = await db
      .selectFrom('tenants')
      .select(['tenant_id', 'plan', 'max_users', 'credits_monthly', 'features', 'deletes_at'])
      .select(({ selectFrom }) =>
        selectFrom('tenant_plan_grants as ended')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('ended.tenant_id', '=', 'tenants.tenant_id')
          .where('ended.ends_at', '<=', clock.now())
          .as('ended'),
      )
      .where('tenant_id', 'in', tenantIds)
      .execute();
    const now = isoTime(clock.now());
    const living = rows.filter(({ deletes_at }) => deletes_at === null || deletes_at > now);
    const known = living.map((row): [string, Known] => [
      row.tenant_id,
      {
        plan: row.plan,
        maxUsers: row.max_users,
        creditsMonthly: row.credits_monthly,
        overrides: JSON.parse(row.features),
        isPlanEnding: Number(row.ended) > 0,
      },
    ]);
    const counted = known.filter(([, { plan, maxUsers }]) => PLANS[plan].credits_pooled && maxUsers <= 0);
    const people = await countPeople(
      db,
      counted.map(([tenantId]) => tenantId),
    );
    return new Map(
      known.map(([tenantId, tenant]) => [tenantId, allowanceOf(tenant, people.get(tenantId) ?? 0)]),
    );
  };

/** The allowance of the one tenant of a self-hosted core. */
export const localAllowances =
  (planName: PlanName): ReadAllowances =>
  async (executor: Executor, tenantIds) => {
    if (!tenantIds.includes(LOCAL_TENANT)) return new Map();
    const { credits_pooled, credits_monthly, max_users, name: plan } = PLANS[planName];
    const isCounted = credits_pooled && credits_monthly >= 0;
    const people = isCounted ? await countPeople(executor as AllowanceDb, [LOCAL_TENANT]) : new Map();
    const tenant = {
      plan,
      maxUsers: max_users,
      creditsMonthly: credits_monthly,
      overrides: {},
      isPlanEnding: false,
    };
    return new Map([[LOCAL_TENANT, allowanceOf(tenant, people.get(LOCAL_TENANT) ?? 0)]]);
  };
