import type { StorageDb, StorageSettingsRow } from './storage.tables.ts';

/** The one row of a tenant. */
export const findSettings = (db: StorageDb, tenantId: string): Promise<StorageSettingsRow | undefined> =>
  db.selectFrom('storage_settings').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();

export const putSettings = (db: StorageDb, row: StorageSettingsRow) =>
  db
    .insertInto('storage_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();

export const removeSettings = (db: StorageDb, tenantId: string) =>
  db.deleteFrom('storage_settings').where('tenant_id', '=', tenantId).execute();

/** The projects of a tenant, whose content there is. */
export async function projectsOf(db: StorageDb, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('project_id')
    .where('tenant_id', '=', tenantId)
    .orderBy('project_id')
    .execute();
  return rows.map((row) => row.project_id);
}
