import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BillingTables, CheckoutRow } from './billing.tables.ts';

/** Nobody can pay there any more, or somebody did. */
export async function closeCheckoutRow(db: Executor, checkoutId: string): Promise<void> {
  await (db as Kysely<BillingTables>)
    .updateTable('billing_checkouts')
    .set({ status: 'closed' })
    .where('checkout_id', '=', checkoutId)
    .execute();
}

export const createCheckoutStore = (database: TenantDatabase) => ({
  /** All of a tenant, oldest first. */
  of: (tenantId: string): Promise<CheckoutRow[]> =>
    database.read((db: Kysely<BillingTables>) =>
      db
        .selectFrom('billing_checkouts')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .orderBy('created_at')
        .orderBy('checkout_id')
        .execute(),
    ),
  async byId(checkoutId: string): Promise<CheckoutRow | null> {
    const row = await database.read((db: Kysely<BillingTables>) =>
      db.selectFrom('billing_checkouts').selectAll().where('checkout_id', '=', checkoutId).executeTakeFirst(),
    );
    return row ?? null;
  },
  /** A repeated call of the provider returns the page that is there already. */
  put: (row: CheckoutRow): Promise<void> =>
    database.write(async (db: Kysely<BillingTables>) => {
      await db
        .insertInto('billing_checkouts')
        .values(row)
        .onConflict((conflict) => conflict.column('checkout_id').doNothing())
        .execute();
    }),
  close: (checkoutId: string): Promise<void> => database.write((db) => closeCheckoutRow(db, checkoutId)),
  looked: async (checkoutId: string, atMs: number): Promise<void> => {
    await database.write((db: Kysely<BillingTables>) =>
      db
        .updateTable('billing_checkouts')
        .set({ looked_at: atMs })
        .where('checkout_id', '=', checkoutId)
        .execute(),
    );
  },
  /** Still open as far as we know, and nobody asked about them since `lookedBy`. */
  silent: (lookedBy: number): Promise<CheckoutRow[]> =>
    database.read((db: Kysely<BillingTables>) =>
      db
        .selectFrom('billing_checkouts')
        .selectAll()
        .where('status', '=', 'open')
        .where('looked_at', '<', lookedBy)
        .orderBy('looked_at')
        .limit(50)
        .execute(),
    ),
});

export type CheckoutStore = ReturnType<typeof createCheckoutStore>;
