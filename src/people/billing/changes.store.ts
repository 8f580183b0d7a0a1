import type { Kysely } from 'kysely';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BillingTables, ChangeRow } from './billing.tables.ts';

const KEPT_MS = 48 * 3_600_000;

/** The change that was made for a key of the tenant's. */
export async function changeByKey(db: Executor, tenantId: string, key: string): Promise<ChangeRow | null> {
  const row = await (db as Kysely<BillingTables>)
    .selectFrom('billing_changes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('request_key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

/** Keys of two days ago are forgotten. */
export async function putChange(db: Executor, row: ChangeRow): Promise<void> {
  const query = db as Kysely<BillingTables>;
  await query
    .deleteFrom('billing_changes')
    .where('tenant_id', '=', row.tenant_id)
    .where('made_at', '<', row.made_at - KEPT_MS)
    .execute();
  await query.insertInto('billing_changes').values(row).execute();
}
