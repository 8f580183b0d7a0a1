import { type Kysely, sql } from 'kysely';
import { openPostgres } from '../../../src/platform/database/adapters/postgres-database.ts';
import { openSqlite } from '../../../src/platform/database/adapters/sqlite-database.ts';

const SQLITE = 'sqlite:';

const openAt = (url: string) =>
  url.startsWith(SQLITE) ? openSqlite(url.slice(SQLITE.length)) : openPostgres(url);

/** By table. */
export async function projectRows(url: string, project: string): Promise<Record<string, unknown[]>> {
  const database = openAt(url);
  try {
    return await database.system.read(async (db: Kysely<unknown>) => {
      const found: Record<string, unknown[]> = {};
      for (const { name, columns } of await db.introspection.getTables()) {
        if (!columns.some((column) => column.name === 'project_id')) continue;
        const { rows } = await sql`select * from ${sql.table(name)} where project_id = ${project}`.execute(
          db,
        );
        if (rows.length > 0) found[name] = rows;
      }
      return found;
    });
  } finally {
    await database.close();
  }
}
