import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CloudLinkRow, CloudSyncDb } from './cloud-sync.tables.ts';

/** The one row of a tenant. */
export const createLinkStore = (database: TenantDatabase) => ({
  find: (): Promise<CloudLinkRow | undefined> =>
    database.read((db: CloudSyncDb) =>
      db.selectFrom('cloud_links').selectAll().where('tenant_id', '=', database.tenantId).executeTakeFirst(),
    ),
  async put(link: Omit<CloudLinkRow, 'tenant_id'>): Promise<void> {
    const row = { ...link, tenant_id: database.tenantId };
    await database.write((db: CloudSyncDb) =>
      db
        .insertInto('cloud_links')
        .values(row)
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
        .execute(),
    );
  },
  async remove(): Promise<void> {
    await database.write((db: CloudSyncDb) =>
      db.deleteFrom('cloud_links').where('tenant_id', '=', database.tenantId).execute(),
    );
  },
});
