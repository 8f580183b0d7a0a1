import { PLANS, type PlanName } from '../../access/plans.ts';
import { checkedName } from '../../kit/checked-name.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAccessChanges } from '../access-changes/index.ts';
import { type FeatureChanges, withChanges } from './features.ts';
import { createPlanGrants } from './plan-grants.service.ts';
import { grantOf } from './plan-grants.ts';
import { checkedSlug, slugFor } from './slug.ts';
import type { Tenant } from './tenant.ts';
import { createTenantStore } from './tenants.store.ts';
import type { TenantRow } from './tenants.tables.ts';

export interface NewTenant {
  name: string;
  /** Derived from the name by default. */
  slug?: string | undefined;
  plan?: PlanName | undefined;
  /** The plan's own number by default; -1 for unlimited. */
  maxUsers?: number | undefined;
  creditsMonthly?: number | undefined;
}

const shown = (row: TenantRow): Tenant => ({
  tenantId: row.tenant_id,
  name: row.name,
  slug: row.slug,
  plan: row.plan,
  maxUsers: row.max_users,
  creditsMonthly: row.credits_monthly,
  overrides: JSON.parse(row.features),
  isOperator: row.is_operator === 1,
  createdAt: row.created_at,
  deletesAt: row.deletes_at,
});

/** Tenants: their plans, seats and deviations from the plan's features (spec 1 §2.7). */
export function createTenants({ database, clock }: { database: Database; clock: Clock }) {
  const noteChange = createAccessChanges({ database, clock }).note;
  const store = createTenantStore(database.system, noteChange);
  const grants = createPlanGrants({ database, clock, noteChange });
  const now = () => isoTime(clock.now());
  const alone = <Result>(work: () => Promise<Result>) => database.system.exclusive('tenants', work);

  /** Null for a tenant past its deletion date: its people have lost access, and its content is being removed. */
  const living = (row: TenantRow | null): Tenant | null =>
    row && (row.deletes_at === null || row.deletes_at > now()) ? shown(row) : null;
  const find = async (tenantId: string): Promise<Tenant | null> => living(await store.findById(tenantId));

  async function existing(tenantId: string): Promise<Tenant> {
    const tenant = await find(tenantId);
    if (tenant === null) throw tenantNotFound(tenantId);
    return tenant;
  }

  async function freeSlug(input: NewTenant): Promise<string> {
    if (input.slug === undefined) return slugFor(input.name);
    const slug = checkedSlug(input.slug);
    if (await store.findBySlug(slug))
      throw conflict(`There is a tenant with the slug ${slug} already`, { code: 'slug_taken' });
    return slug;
  }

  return {
    find,
    existing,
    /** Finds a tenant by id or slug. 404 if there is none. */
    async named(name: string): Promise<Tenant> {
      const tenant = (await find(name)) ?? living(await store.findBySlug(name));
      if (tenant === null) throw tenantNotFound(name);
      return tenant;
    },
    list: async (): Promise<Tenant[]> => (await store.list()).map(shown),
    endedBy: async (time: string): Promise<string[]> =>
      (await store.endedBy(time)).map((row) => row.tenant_id),

    /** The very first tenant operates the installation. 409 for a slug that is taken, 422 for an invalid name or slug. */
    create: (input: NewTenant): Promise<Tenant> =>
      alone(async () => {
        const name = checkedName(input.name, 'name');
        const plan = PLANS[input.plan ?? 'free'];
        const at = now();
        const row: TenantRow = {
          tenant_id: newId(),
          name,
          slug: await freeSlug(input),
          plan: plan.name,
          max_users: input.maxUsers ?? plan.max_users,
          credits_monthly: input.creditsMonthly ?? plan.credits_monthly,
          features: '{}',
          is_operator: (await store.isEmpty()) ? 1 : 0,
          created_at: at,
          updated_at: at,
          deletes_at: null,
        };
        await store.insert(row);
        return shown(row);
      }),

    isOperator: async (tenantId: string): Promise<boolean> => (await find(tenantId))?.isOperator === true,

    /** Removes a tenant that nobody joined. If it was the first, the next one operates the installation. */
    remove: (tenantId: string): Promise<void> =>
      alone(async () => {
        const leaving = await store.findById(tenantId);
        await store.remove(tenantId);
        const [oldest] = leaving?.is_operator === 1 ? await store.list() : [];
        if (oldest) await store.update(oldest.tenant_id, { is_operator: 1, updated_at: now() });
      }),

    /** Sets the end of access unless there is one; null removes it. True if anything changed. 404 if there is no such tenant. */
    setDeletion: (
      tenantId: string,
      deletesAt: string | null,
    ): Promise<{ tenant: Tenant; isChanged: boolean }> =>
      alone(async () => {
        const tenant = await existing(tenantId);
        if ((tenant.deletesAt === null) === (deletesAt === null)) return { tenant, isChanged: false };
        await store.update(tenantId, { deletes_at: deletesAt, updated_at: now() });
        return { tenant: { ...tenant, deletesAt }, isChanged: true };
      }),

    /** Plans that are bought or given for a time; they come above the tenant's own. */
    grants,

    /**
     * The plan that the tenant has by itself; one that it bought or was given counts as long as it is higher. Seats and credits become the
     * plan's own unless given. 404 if there is no such tenant.
     */
    async changePlan(tenantId: string, planName: PlanName, maxUsers?: number): Promise<Tenant> {
      await existing(tenantId);
      await grants.changeBase(tenantId, ({ features }) =>
        grantOf(planName, { features, ...(maxUsers !== undefined && { seats: maxUsers }) }),
      );
      return existing(tenantId);
    },

    /** Merges overrides: null removes one. 404 if there is no such tenant. */
    async changeFeatures(tenantId: string, changes: FeatureChanges): Promise<Tenant> {
      await existing(tenantId);
      await grants.changeBase(tenantId, (base) => ({
        ...base,
        features: withChanges(base.features, changes),
      }));
      return existing(tenantId);
    },
  };
}

export type Tenants = ReturnType<typeof createTenants>;

export const tenantNotFound = (tenantId: string) =>
  notFound(`There is no tenant ${tenantId}`, { code: 'tenant_not_found' });
