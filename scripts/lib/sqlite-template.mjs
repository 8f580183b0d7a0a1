import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/database/adapters/sqlite-database.ts';
import { coreMigrations } from '../../src/surfaces/core-modules.ts';

/**
 * Creates a template database file with the tables of a core and without rows.
 * @returns {Promise<{path: string, remove: () => void}>}
 */
export async function createSqliteTemplate() {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-template-'));
  const path = join(folder, 'template.db');
  const database = openSqlite(path);
  await database.migrate(coreMigrations);
  await database.close();
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}
