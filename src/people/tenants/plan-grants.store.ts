import type { Kysely } from 'kysely';
import type { Executor } from '../../platform/database/dialect.ts';
import type { NoteAccessChange } from '../access-changes/index.ts';
import { type PlanGrant, type PlanSource, planFrom } from './plan-grants.ts';
import type { PlanGrantRow, TenantRow, TenantTables } from './tenants.tables.ts';

const grantIn = (row: PlanGrantRow): PlanGrant => ({
  plan: row.plan,
  seats: row.max_users,
  creditsMonthly: row.credits_monthly,
  features: JSON.parse(row.features),
  endsAtMs: row.ends_at,
});

/** The tenant's plan while nothing else was granted. */
const baseIn = (tenant: TenantRow): PlanGrant => ({
  plan: tenant.plan,
  seats: tenant.max_users,
  creditsMonthly: tenant.credits_monthly,
  features: JSON.parse(tenant.features),
  endsAtMs: null,
});

const rowOf = (tenantId: string, source: PlanSource, grant: PlanGrant): PlanGrantRow => ({
  tenant_id: tenantId,
  source,
  plan: grant.plan,
  max_users: grant.seats,
  credits_monthly: grant.creditsMonthly,
  features: JSON.stringify(grant.features),
  ends_at: grant.endsAtMs,
});

export interface LockedGrants {
  tenant: TenantRow;
  /** Always with a base. */
  grants: Map<PlanSource, PlanGrant>;
}

/** Nobody else changes the tenant's grants until the transaction ends. Null if there is no tenant. */
export async function lockGrants(
  executor: Executor,
  tenantId: string,
  forUpdate: TenantLock,
): Promise<LockedGrants | null> {
  const db = executor as Kysely<TenantTables>;
  const tenant = await db
    .selectFrom('tenants')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .modifyEnd(forUpdate)
    .executeTakeFirst();
  if (tenant === undefined) return null;
  const rows = await db
    .selectFrom('tenant_plan_grants')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute();
  const grants = new Map(rows.map((row) => [row.source, grantIn(row)]));
  if (!grants.has('base')) grants.set('base', baseIn(tenant));
  return { tenant, grants };
}

export type TenantLock = Parameters<ReturnType<Kysely<TenantTables>['selectFrom']>['modifyEnd']>[0];

/** Stores grants and the plan that follows from them. Grants that ended by then go; the base is stored once there are others. */
export async function storeGrants(
  executor: Executor,
  { tenant, grants }: LockedGrants,
  { noteChange, nowMs, updatedAt }: { noteChange: NoteAccessChange; nowMs: number; updatedAt: string },
): Promise<void> {
  const db = executor as Kysely<TenantTables>;
  const { tenant_id: tenantId } = tenant;
  const good = new Map([...grants].filter(([, { endsAtMs }]) => endsAtMs === null || endsAtMs > nowMs));
  const others = [...good.keys()].some((source) => source !== 'base');
  await db.deleteFrom('tenant_plan_grants').where('tenant_id', '=', tenantId).execute();
  if (others)
    await db
      .insertInto('tenant_plan_grants')
      .values([...good].map(([source, grant]) => rowOf(tenantId, source, grant)))
      .execute();
  const { plan, seats, creditsMonthly, features } = planFrom(good);
  const named = { plan, features: JSON.stringify(features) };
  const counted = { max_users: seats, credits_monthly: creditsMonthly };
  const isSame = (columns: Partial<TenantRow>) =>
    Object.entries(columns).every(([name, value]) => tenant[name as keyof TenantRow] === value);
  if (isSame({ ...named, ...counted })) return;
  await db
    .updateTable('tenants')
    .set({ ...named, ...counted, updated_at: updatedAt })
    .where('tenant_id', '=', tenantId)
    .execute();
  // Tokens name the plan and its features: others stay good.
  if (!isSame(named)) await noteChange(db, 'tenant', tenantId);
}

/** A page of the tenants of which something has ended, in the order of their ids. */
export const endedGrants = (
  db: Kysely<TenantTables>,
  nowMs: number,
  afterTenantId: string,
): Promise<{ tenant_id: string }[]> =>
  db
    .selectFrom('tenant_plan_grants')
    .select('tenant_id')
    .distinct()
    .where('ends_at', '<=', nowMs)
    .where('tenant_id', '>', afterTenantId)
    .orderBy('tenant_id')
    .limit(100)
    .execute();
