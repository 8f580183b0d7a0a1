import type { Kysely } from 'kysely';
import type { Database, TenantDatabase } from '../../platform/database/database.ts';
import { ROW_IDS_PER_PROJECT } from '../records/index.ts';

/** Rows per transaction, since other writers wait for it. */
const ROWS_AT_ONCE = 2_000;
/** The accounts service, if it shares the database, removes these itself when all else is gone. */
const OF_ACCOUNTS = /^(?:tenants|tenant_plan_grants|users|invites|(?:credit|billing|beta)_.+)$/;
/** The search index removes its rows by itself. */
const isOfSearch = (name: string): boolean => name.startsWith('entity_search');

type AnyRows = Kysely<Record<string, Record<string, unknown>>>;

interface Table {
  name: string;
  columns: ReadonlySet<string>;
}

/** The tables come from the database, so that none can be missed here. */
async function tablesOf({ system }: Database): Promise<Table[]> {
  const found = await system.read((db) => db.introspection.getTables());
  return found
    .filter(({ name, isView }) => !(isView || isOfSearch(name) || OF_ACCOUNTS.test(name)))
    .map(({ name, columns }) => ({ name, columns: new Set(columns.map((column) => column.name)) }));
}

/** Row ids of a project: from the first one up to, but not including, the second. */
const rangeOf = (projectNumber: number): readonly [number, number] => [
  projectNumber * ROW_IDS_PER_PROJECT,
  (projectNumber + 1) * ROW_IDS_PER_PROJECT,
];

async function removeFromSearch(tenant: TenantDatabase, projectNumber: number): Promise<void> {
  const { fullText } = tenant.dialect;
  const [first, end] = rangeOf(projectNumber);
  for (;;) {
    const found = await tenant.read((db: AnyRows) => fullText.list(db, first - 1, ROWS_AT_ONCE));
    const ids = found.filter((id) => id < end);
    if (ids.length === 0) return;
    await tenant.write((db: AnyRows) => fullText.remove(db, ids));
  }
}

async function removeByRowId(tenant: TenantDatabase, table: string, projectNumber: number): Promise<void> {
  const [first, end] = rangeOf(projectNumber);
  for (;;) {
    const found = await tenant.read((db: AnyRows) =>
      db
        .selectFrom(table)
        .select('row_id')
        .where('row_id', '>=', first)
        .where('row_id', '<', end)
        .orderBy('row_id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    );
    const last = found.at(-1)?.row_id;
    if (last === undefined) return;
    await tenant.write((db: AnyRows) =>
      db.deleteFrom(table).where('row_id', '>=', first).where('row_id', '<=', last).execute(),
    );
  }
}

async function removeOwned({ tenantId, dialect, write }: TenantDatabase, table: string): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await write((db: AnyRows) =>
      db
        .deleteFrom(table)
        .where('tenant_id', '=', tenantId)
        .where(dialect.isAmongFirst(table, 'tenant_id', tenantId, ROWS_AT_ONCE))
        .executeTakeFirst(),
    );
    if (numDeletedRows === 0n) return;
  }
}

const projectNumbers = (tenant: TenantDatabase): Promise<number[]> =>
  tenant.read(async (db: AnyRows) => {
    const rows = await db
      .selectFrom('projects')
      .select('number')
      .where('tenant_id', '=', tenant.tenantId)
      .execute();
    return rows.map((row) => Number(row.number));
  });

/** Removes every row of a tenant. After a crash or an abort the next call continues: projects go last. */
export async function removeTenantRows(
  database: Database,
  tenantId: string,
  signal?: AbortSignal,
): Promise<void> {
  const handle = database.tenant(tenantId);
  const tenant: TenantDatabase = {
    ...handle,
    async write(work, options) {
      signal?.throwIfAborted();
      return handle.write(work, options);
    },
  };
  const tables = await tablesOf(database);
  for (const projectNumber of await projectNumbers(tenant)) {
    await removeFromSearch(tenant, projectNumber);
    for (const { name, columns } of tables)
      if (columns.has('row_id')) await removeByRowId(tenant, name, projectNumber);
  }
  const owned = tables.filter(({ columns }) => columns.has('tenant_id')).map(({ name }) => name);
  for (const name of [...owned.filter((each) => each !== 'projects'), 'projects'])
    await removeOwned(tenant, name);
}
