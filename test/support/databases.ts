import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
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
  /** A copy of it, which is another database from then on. Nobody may have it open. */
  copy(): Promise<OpenedDatabase>;
  /** Closes it and removes it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Whether the tables of a core may be there already; a core makes those that are missing. */
  forCore?: boolean;
}

export type OpenDatabase = (options?: OpenOptions) => Promise<OpenedDatabase>;

const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Databases with the tables of a core and no rows, which the test command makes for a run. */
const CORE_TEMPLATE = process.env.TEST_POSTGRES_TEMPLATE;
const SQLITE_CORE_TEMPLATE = process.env.TEST_SQLITE_TEMPLATE;

/** How the server makes a database, where the test command knows a quick way. */
const STRATEGY = process.env.TEST_POSTGRES_STRATEGY ?? '';

/** Opens a fresh SQLite file in a temporary folder. */
export const openTestSqlite: OpenDatabase = async ({ forCore = false } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  if (forCore && SQLITE_CORE_TEMPLATE) cpSync(SQLITE_CORE_TEMPLATE, join(folder, SQLITE_NAME));
  return sqliteIn(folder);
};

const SQLITE_NAME = 'test.db';

function sqliteIn(folder: string): OpenedDatabase {
  const path = join(folder, SQLITE_NAME);
  return opened({
    url: `sqlite:${path}`,
    open: () => openSqlite(path),
    remove: async () => rmSync(folder, { recursive: true }),
    async copied() {
      const other = mkdtempSync(join(tmpdir(), 'database-'));
      cpSync(folder, other, { recursive: true });
      return sqliteIn(other);
    },
  });
}

/** Creates a PostgreSQL database on the server that `TEST_POSTGRES_URL` names. */
export const openTestPostgres: OpenDatabase = async ({ forCore = false } = {}) => {
  return postgresFrom(forCore && CORE_TEMPLATE ? `template ${CORE_TEMPLATE}` : '');
};

async function postgresFrom(template: string): Promise<OpenedDatabase> {
  const url = freshPostgresUrl();
  const name = url.pathname.slice(1);
  await asAdministrator(`create database ${name} ${template} ${STRATEGY}`, waitForNoDisk(name));
  return opened({
    url: url.href,
    open: () => openPostgres(url.href),
    remove: () => asAdministrator(`drop database ${name} with (force)`),
    copied: () => postgresFrom(`template ${name}`),
  });
}

/** The same, signed in as a role that owns the database and may do nothing else on the server. */
export const openOwnedPostgres: OpenDatabase = async () => {
  const url = freshPostgresUrl();
  const name = url.pathname.slice(1);
  url.username = name;
  url.password = randomUUID();
  await asAdministrator(
    `create role ${name} login password '${url.password}'`,
    `create database ${name} owner ${name} ${STRATEGY}`,
    waitForNoDisk(name),
  );
  return opened({
    url: url.href,
    open: () => openPostgres(url.href),
    remove: () => asAdministrator(`drop database ${name} with (force)`, `drop role ${name}`),
    copied: () => postgresFrom(`template ${name}`),
  });
};

/** No test cuts the server's power, so its commits need not reach the disk before they are answered. */
const waitForNoDisk = (name: string): string => `alter database ${name} set synchronous_commit = off`;

function freshPostgresUrl(): URL {
  const url = new URL(POSTGRES_URL);
  url.pathname = `/canonry_test_${randomUUID().replaceAll('-', '')}`;
  return url;
}

function opened({
  url,
  open,
  remove,
  copied,
}: {
  url: string;
  open: () => Database;
  remove: () => Promise<void>;
  copied: () => Promise<OpenedDatabase>;
}): OpenedDatabase {
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
    async copy() {
      await release();
      return copied();
    },
    async close() {
      await release();
      await remove();
    },
  };
}

async function asAdministrator(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 60_000 });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
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
