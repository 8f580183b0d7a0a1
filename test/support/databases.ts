import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/platform/database/adapters/postgres-database.ts';
import { openSqlite } from '../../src/platform/database/adapters/sqlite-database.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** A database of its own, empty. */
export interface OpenedDatabase {
  database: Database;
  /** `sqlite:…` or `postgres://…`, to open it once more. */
  url: string;
  /** Opens the same database as another process would. */
  again(): Database;
  /** Closes it, so that another process has it alone. */
  release(): Promise<void>;
  /** Closes it and removes it. */
  close(): Promise<void>;
}

export type OpenDatabase = () => Promise<OpenedDatabase>;

const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Opens a fresh SQLite file in a temporary folder. */
export const openTestSqlite: OpenDatabase = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  const path = join(folder, 'test.db');
  return opened(
    `sqlite:${path}`,
    () => openSqlite(path),
    async () => rmSync(folder, { recursive: true }),
  );
};

/** Creates a PostgreSQL database on the server that `TEST_POSTGRES_URL` names. */
export const openTestPostgres: OpenDatabase = async () => {
  const name = `canonry_test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  return opened(
    url.href,
    () => openPostgres(url.href),
    () => asAdministrator(`drop database ${name} with (force)`),
  );
};

function opened(url: string, open: () => Database, remove: () => Promise<void>): OpenedDatabase {
  const all: Database[] = [];
  const again = () => {
    const database = open();
    all.push(database);
    return database;
  };
  const release = async () => {
    for (const database of all.splice(0)) await database.close();
  };
  return {
    database: again(),
    url,
    again,
    release,
    async close() {
      await release();
      await remove();
    },
  };
}

async function asAdministrator(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Registers a suite for SQLite and for PostgreSQL. `CANONRY_TEST_POSTGRES=off`, which the test command sets where no
 * server can be had, leaves one skipped test in place of the second.
 */
export function forEachDatabase(suite: (name: 'sqlite' | 'postgres', open: OpenDatabase) => void): void {
  describe('on SQLite', () => suite('sqlite', openTestSqlite));
  if (process.env.CANONRY_TEST_POSTGRES === 'off') {
    test('on PostgreSQL', { skip: 'no PostgreSQL server' }, () => {});
    return;
  }
  describe('on PostgreSQL', () => suite('postgres', openTestPostgres));
}
