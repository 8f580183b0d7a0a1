import { type Kysely, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

interface MigrationTables {
  canonry_migrations: { name: string; applied_at: string };
}

export async function appliedMigrations(db: Kysely<unknown>, dialect: Dialect): Promise<Set<string>> {
  await db.schema
    .createTable('canonry_migrations')
    .ifNotExists()
    .addColumn('name', dialect.text, (column) => column.primaryKey())
    .addColumn('applied_at', dialect.text, (column) => column.notNull())
    .execute();
  const rows = await (db as Kysely<MigrationTables>)
    .selectFrom('canonry_migrations')
    .select('name')
    .execute();
  return new Set(rows.map((row) => row.name));
}

/** In the caller's transaction. */
export async function applyMigration(
  db: Kysely<unknown>,
  dialect: Dialect,
  migration: Migration,
): Promise<void> {
  await migration.up(db, dialect);
  await (db as Kysely<MigrationTables>)
    .insertInto('canonry_migrations')
    .values({ name: migration.name, applied_at: sql<string>`${new Date().toISOString()}` })
    .execute();
}
