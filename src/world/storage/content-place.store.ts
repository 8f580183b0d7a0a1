import type { TenantDatabase } from '../../platform/database/database.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import type { StorageContentRow, StorageDb } from './storage.tables.ts';

export const findContentRow = (db: StorageDb, tenantId: string): Promise<StorageContentRow | undefined> =>
  inTenant(db, tenantId).selectFrom('storage_content').selectAll().executeTakeFirst();

/** Must run inside a transaction of the tenant. */
export const putContentRow = (db: StorageDb, row: StorageContentRow) =>
  db
    .insertInto('storage_content')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();

/** Blocks changes of a tenant's files until a time; 0 ends the block. */
export const freezeContent = (database: TenantDatabase, revision: string, until: number) =>
  database.write((db: StorageDb) =>
    db
      .insertInto('storage_content')
      .values({ tenant_id: database.tenantId, revision, place: null, frozen_until: until })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ frozen_until: until }))
      .execute(),
  );
