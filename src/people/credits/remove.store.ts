import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CreditDb, CreditTables } from './credits.tables.ts';

/** Rows per transaction, since other writers wait for it. */
const ROWS_AT_ONCE = 2_000;

/** Without the account nothing is booked any more, so it goes first. A removal that breaks off is repeated by the tenant. */
const TABLES: readonly (keyof CreditTables)[] = [
  'credit_accounts',
  'credit_reservations',
  'credit_lots',
  'credit_members',
  'credit_answers',
  'credit_usage',
  'credit_usage_totals',
  'credit_entries',
  'credit_postings',
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
