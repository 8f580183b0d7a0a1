import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import type { RecordTables } from '../../world/records/index.ts';
import type { DesktopProjectRow, DesktopTables } from './desktop.tables.ts';

type Db = Kysely<RecordTables & DesktopTables>;

export const createDesktopProjectStore = (database: TenantDatabase) => {
  const { tenantId } = database;
  return {
    list: (): Promise<DesktopProjectRow[]> =>
      database.read((db: Db) => inTenant(db, tenantId).selectFrom('desktop_projects').selectAll().execute()),
    async put(project: Omit<DesktopProjectRow, 'tenant_id'>): Promise<void> {
      const row = { ...project, tenant_id: tenantId };
      await database.write((db: Db) =>
        db
          .insertInto('desktop_projects')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'project_id']).doUpdateSet(row))
          .execute(),
      );
    },
    /** Entity counts of every project ever opened here. */
    async opened(): Promise<Map<string, number>> {
      const rows = await database.read((db: Db) =>
        inTenant(db, tenantId)
          .selectFrom('projects')
          .leftJoin('entity_counts', (join) =>
            join
              .onRef('entity_counts.tenant_id', '=', 'projects.tenant_id')
              .onRef('entity_counts.project_id', '=', 'projects.project_id'),
          )
          .select((eb) => ['projects.project_id', eb.fn.sum<number | string | null>('total').as('total')])
          .groupBy('projects.project_id')
          .execute(),
      );
      return new Map(rows.map(({ project_id, total }) => [project_id, Number(total ?? 0)]));
    },
  };
};
