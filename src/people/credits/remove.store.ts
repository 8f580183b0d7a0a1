import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CreditDb, CreditTables } from './credits.tables.ts';

/** Rows per transaction, since other writers wait for it. */
const ROWS_AT_ONCE = 2_000;

const TABLES: readonly (keyof CreditTables)[] = [
  'credit_reservations',
  'credit_lots',
  'credit_members',
  'credit_answers',
  'credit_usage',
  'credit_usage_totals',
  'credit_entries',
  'credit_postings',
];

/** A removal that breaks off is to be repeated. */
export async function removeBooks({ write, dialect }: TenantDatabase, tenantId: string): Promise<void> {
  await write((db: CreditDb) => close(db, tenantId));
  for (const table of TABLES) {
    let removed = 1n;
    while (removed > 0n) {
      const result = await write((db: CreditDb) =>
        db
          .deleteFrom(table)
          .where('tenant_id', '=', tenantId)
          .where(dialect.isAmongFirst(table, 'tenant_id', tenantId, ROWS_AT_ONCE))
          .executeTakeFirst(),
      );
      removed = result.numDeletedRows;
    }
  }
}

/** From now on nothing can be booked, and nothing is due that the upkeep would find. */
async function close(db: CreditDb, tenantId: string): Promise<void> {
  await db.deleteFrom('credit_accounts').where('tenant_id', '=', tenantId).execute();
  await db
    .deleteFrom('credit_reservations')
    .where('tenant_id', '=', tenantId)
    .where('open_until_ms', 'is not', null)
    .execute();
  await db.deleteFrom('credit_lots').where('tenant_id', '=', tenantId).where('is_open', '=', 1).execute();
}
