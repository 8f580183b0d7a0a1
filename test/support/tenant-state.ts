import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/database/database.ts';
import { rowIdOf } from '../../src/world/records/scope.ts';

type Row = Record<string, unknown>;

/** Of every file and its path. */
export async function hashOfFiles(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(`${path}\n`).update(await readFile(path));
  return hash.digest('hex');
}

/** Of every row with the tenant's id or a row id of its projects, but for tables that are left out. */
export async function hashOfRows(
  { system }: Database,
  tenantId: string,
  leftOut: readonly string[] = [],
): Promise<string> {
  const hash = createHash('sha256');
  const read = (table: string, column: string, from: string | number, to: string | number) =>
    system.read((db: Kysely<Record<string, Row>>) =>
      db.selectFrom(table).selectAll().where(column, '>=', from).where(column, '<=', to).execute(),
    );
  const all = await system.read((db) => db.introspection.getTables());
  // The search index is updated lazily.
  const tables = all.filter(({ name }) => !name.startsWith('entity_search') && !leftOut.includes(name));
  const hasProjects = tables.some(({ name }) => name === 'projects');
  const projects = hasProjects ? await read('projects', 'tenant_id', tenantId, tenantId) : [];
  for (const { name, columns } of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const has = (column: string) => columns.some((each) => each.name === column);
    const rows: Row[] = [];
    if (has('tenant_id')) rows.push(...(await read(name, 'tenant_id', tenantId, tenantId)));
    else if (has('row_id')) {
      for (const number of projects.map((project) => Number(project.number)))
        rows.push(...(await read(name, 'row_id', rowIdOf(number, 0), rowIdOf(number + 1, 0) - 1)));
    }
    const lines = rows.map((row) => JSON.stringify(row));
    hash.update(`${name}\n${lines.sort().join('\n')}`);
  }
  return hash.digest('hex');
}
