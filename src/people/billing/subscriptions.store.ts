import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BillingTables, SubscriptionRow } from './billing.tables.ts';
import { CHARGED_AFTER_MS } from './catalog.ts';

const tables = (db: Executor) => db as Kysely<BillingTables>;

export const subscriptionsOf = (db: Executor, tenantId: string): Promise<SubscriptionRow[]> =>
  tables(db)
    .selectFrom('billing_subscriptions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('subscription_id')
    .execute();

export async function subscriptionById(
  db: Executor,
  subscriptionId: string,
): Promise<SubscriptionRow | null> {
  const row = await tables(db)
    .selectFrom('billing_subscriptions')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return row ?? null;
}

export async function putSubscription(db: Executor, row: SubscriptionRow): Promise<void> {
  const { subscription_id: _, ...rest } = row;
  await tables(db)
    .insertInto('billing_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(rest))
    .execute();
}

export async function changeSubscriptionRow(
  db: Executor,
  subscriptionId: string,
  change: Partial<SubscriptionRow>,
): Promise<void> {
  await tables(db)
    .updateTable('billing_subscriptions')
    .set(change)
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** The customer is the tenant's from then on; a tenant's earlier one is replaced. */
export async function putCustomer(db: Executor, tenantId: string, customerId: string): Promise<void> {
  const row = { tenant_id: tenantId, customer_id: customerId };
  const query = tables(db);
  await query
    .deleteFrom('billing_customers')
    .where('customer_id', '=', customerId)
    .where('tenant_id', '!=', tenantId)
    .execute();
  await query
    .insertInto('billing_customers')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}

async function tenantOfCustomer(db: Executor, customerId: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom('billing_customers')
    .select('tenant_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.tenant_id ?? null;
}

export async function customerOf(db: Executor, tenantId: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

export const createSubscriptionStore = (database: TenantDatabase) => ({
  of: (tenantId: string) => database.read((db: Kysely<BillingTables>) => subscriptionsOf(db, tenantId)),
  byId: (id: string) => database.read((db: Kysely<BillingTables>) => subscriptionById(db, id)),
  customerOf: (tenantId: string) => database.read((db: Kysely<BillingTables>) => customerOf(db, tenantId)),
  tenantOfCustomer: (customerId: string) =>
    database.read((db: Kysely<BillingTables>) => tenantOfCustomer(db, customerId)),
  putCustomer: (tenantId: string, customerId: string): Promise<void> =>
    database.write((db) => putCustomer(db, tenantId, customerId)),
  looked: (id: string, atMs: number): Promise<void> =>
    database.write((db) => changeSubscriptionRow(db, id, { looked_at: atMs })),

  /** The provider ended them; what followed from them ends with their tenant. */
  ended: (ids: readonly string[], atMs: number): Promise<void> =>
    database.write(async (db) => {
      for (const id of ids) await changeSubscriptionRow(db, id, { state: 'ended', ended_at: atMs });
    }),

  /** Those not looked at for longest come first, so that none that fails keeps others from their turn. */
  endedGraces: (nowMs: number): Promise<SubscriptionRow[]> =>
    database.read((db: Kysely<BillingTables>) =>
      db
        .selectFrom('billing_subscriptions')
        .selectAll()
        .where('state', '=', 'past_due')
        .where('grace_ends_at', '<=', nowMs)
        .orderBy('looked_at')
        .limit(100)
        .execute(),
    ),
  /** Extra ones that the provider has not ended yet. */
  extra: (): Promise<SubscriptionRow[]> =>
    database.read((db: Kysely<BillingTables>) =>
      db
        .selectFrom('billing_subscriptions')
        .selectAll()
        .where('is_extra', '=', 1)
        .where('state', '!=', 'ended')
        .orderBy('looked_at')
        .limit(100)
        .execute(),
    ),
  /** Those whose period ended before `endedBy` and that nobody asked about since `lookedBy`; and those whose payment should be known by now. */
  silent: ({ endedBy, lookedBy, nowMs }: Record<'endedBy' | 'lookedBy' | 'nowMs', number>) =>
    database.read(
      (db: Kysely<BillingTables>): Promise<SubscriptionRow[]> =>
        db
          .selectFrom('billing_subscriptions')
          .selectAll()
          .where('state', '!=', 'ended')
          .where((is) =>
            is.or([
              is.and([is('period_end', '<', endedBy), is('looked_at', '<', lookedBy)]),
              is.and([
                is('period_start', '<=', nowMs - CHARGED_AFTER_MS),
                is('looked_at', '<', is('period_start', '+', CHARGED_AFTER_MS)),
              ]),
            ]),
          )
          .orderBy('looked_at')
          .limit(50)
          .execute(),
    ),

  /** Everything of a tenant but its events. */
  removeTenant: (tenantId: string): Promise<void> =>
    database.write(async (db: Kysely<BillingTables>) => {
      for (const table of OF_TENANTS) await db.deleteFrom(table).where('tenant_id', '=', tenantId).execute();
    }),
});

const OF_TENANTS = [
  'billing_changes',
  'billing_checkouts',
  'billing_invoices',
  'billing_purchases',
  'billing_subscriptions',
  'billing_customers',
] as const;
