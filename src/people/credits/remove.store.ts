import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CreditDb, CreditTables } from './credits.tables.ts';

/** Rows per transaction, since other writers wait for it. */
const ROWS_AT_ONCE = 2_000;

/** The account goes last: what is due for it is found by its row, and a removal that breaks off is repeated. */
const TABLES: readonly (keyof CreditTables)[] = [
  'credit_answers',
  'credit_usage',
  'credit_usage_totals',
  'credit_entries',
  'credit_postings',
  'credit_members',
  'credit_reservations',
  'credit_lots',
  'credit_accounts',
];

export async function removeBooks({ write, dialect }: TenantDatabase, tenantId: string): Promise<void> {
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
