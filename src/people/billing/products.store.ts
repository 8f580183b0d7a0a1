import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { BillingTables } from './billing.tables.ts';

const NAME = 'products';

export const createProductStore = (database: TenantDatabase) => ({
  async read(): Promise<{ body: string; asOf: number } | null> {
    const row = await database.read((db: Kysely<BillingTables>) =>
      db.selectFrom('billing_catalog').selectAll().where('name', '=', NAME).executeTakeFirst(),
    );
    return row === undefined ? null : { body: row.body, asOf: row.as_of };
  },
  async put(body: string, asOf: number): Promise<void> {
    const row = { name: NAME, body, as_of: asOf };
    await database.write((db: Kysely<BillingTables>) =>
      db
        .insertInto('billing_catalog')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute(),
    );
  },
});
