import type { TenantDatabase } from '../../platform/database/database.ts';

import { inTenant } from '../../platform/database/scoped.ts';

import type { CloudDb, CloudLinkRow } from './cloud.tables.ts';

export const createLinkStore = (database: TenantDatabase) => ({
  find: (): Promise<CloudLinkRow | undefined> =>
    database.read((db: CloudDb) =>
      inTenant(db, database.tenantId).selectFrom('cloud_links').selectAll().executeTakeFirst(),
    ),
  async put(link: Omit<CloudLinkRow, 'tenant_id'>): Promise<void> {
    const row = { ...link, tenant_id: database.tenantId };
    await database.write((db: CloudDb) =>
      db
        .insertInto('cloud_links')
        .values(row)
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
        .execute(),
    );
  },
  async remove(): Promise<void> {
    await database.write((db: CloudDb) =>
      inTenant(db, database.tenantId).deleteFrom('cloud_links').execute(),
    );
  },
});
