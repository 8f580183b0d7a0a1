import { inTenant } from '../../platform/database/scoped.ts';
import type { StorageDb, StorageSettingsRow } from './storage.tables.ts';

export const findSettings = (db: StorageDb, tenantId: string): Promise<StorageSettingsRow | undefined> =>
  inTenant(db, tenantId).selectFrom('storage_settings').selectAll().executeTakeFirst();

export const putSettings = (db: StorageDb, row: StorageSettingsRow) =>
  db
    .insertInto('storage_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();

export const removeSettings = (db: StorageDb, tenantId: string) =>
  inTenant(db, tenantId).deleteFrom('storage_settings').execute();

export async function projectsOf(db: StorageDb, tenantId: string): Promise<string[]> {
  const rows = await inTenant(db, tenantId)
    .selectFrom('projects')
    .select('project_id')
    .orderBy('project_id')
    .execute();
  return rows.map((row) => row.project_id);
}
