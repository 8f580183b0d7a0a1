import type { Kysely, Updateable } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { NoteAccessChange } from '../access-changes/index.ts';
import type { TenantRow, TenantTables } from './tenants.tables.ts';

export function createTenantStore(database: TenantDatabase, noteChange: NoteAccessChange) {
  const find = async (column: 'tenant_id' | 'slug', value: string): Promise<TenantRow | null> => {
    const row = await database.read((db: Kysely<TenantTables>) =>
      db.selectFrom('tenants').selectAll().where(column, '=', value).executeTakeFirst(),
    );
    return row ?? null;
  };
  return {
    findById: (tenantId: string) => find('tenant_id', tenantId),
    findBySlug: (slug: string) => find('slug', slug),
    /** Oldest first. */
    list: (): Promise<TenantRow[]> =>
      database.read((db: Kysely<TenantTables>) =>
        db.selectFrom('tenants').selectAll().orderBy('created_at').orderBy('tenant_id').execute(),
      ),
    /** Tenants whose access had ended by then, earliest end first. */
    endedBy: (time: string): Promise<TenantRow[]> =>
      database.read((db: Kysely<TenantTables>) =>
        db.selectFrom('tenants').selectAll().where('deletes_at', '<=', time).orderBy('deletes_at').execute(),
      ),
    async isEmpty(): Promise<boolean> {
      const row = await database.read((db: Kysely<TenantTables>) =>
        db.selectFrom('tenants').select('tenant_id').limit(1).executeTakeFirst(),
      );
      return row === undefined;
    },
    async insert(row: TenantRow): Promise<void> {
      await database.write((db: Kysely<TenantTables>) => db.insertInto('tenants').values(row).execute());
    },
    async update(tenantId: string, changes: Omit<Updateable<TenantRow>, 'tenant_id'>): Promise<void> {
      await database.write(async (db: Kysely<TenantTables>) => {
        await db.updateTable('tenants').set(changes).where('tenant_id', '=', tenantId).execute();
        await noteChange(db, 'tenant', tenantId);
      });
    },
    async remove(tenantId: string): Promise<void> {
      await database.write(async (db: Kysely<TenantTables>) => {
        await db.deleteFrom('tenant_plan_grants').where('tenant_id', '=', tenantId).execute();
        await db.deleteFrom('tenants').where('tenant_id', '=', tenantId).execute();
      });
    },
  };
}
