import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/platform/database/adapters/postgres-database.ts';
import { openSqlite } from '../../src/platform/database/adapters/sqlite-database.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** A database of the test's own, empty. */
export interface OpenedDatabase {
  database: Database;
  /** To open it once more: `sqlite:…` or `postgres://…`. */
  url: string;
  /** As another process would. */
  again(): Database;
  /** Closes it, so that another process can have it alone. */
  release(): Promise<void>;
  /** Independent from then on. Nobody may have the original open. */
  copy(): Promise<OpenedDatabase>;
  /** Also removes it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Allows a copy with the tables of a core; a core creates missing ones. */
  forCore?: boolean;
}

export type OpenDatabase = (options?: OpenOptions) => Promise<OpenedDatabase>;

export const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Made by the test command for a run: the tables of a core without rows. */
const CORE_TEMPLATE = process.env.TEST_POSTGRES_TEMPLATE;
const SQLITE_CORE_TEMPLATE = process.env.TEST_SQLITE_TEMPLATE;

/** A quick way to create a database, if the test command knows one. */
const STRATEGY = process.env.TEST_POSTGRES_STRATEGY ?? '';

/** In a temporary folder. */
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

/** On the server of `TEST_POSTGRES_URL`. */
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

/** Signed in as a role that owns the database and has no other rights on the server. */
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

/** No test cuts the server's power, so commits need not wait for the disk. */
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
 * Registers a suite for SQLite and for PostgreSQL. `CANONRY_TEST_POSTGRES=off`, set by the test command if there is no
 * server, leaves a skipped test instead of the second.
 */
export function forEachDatabase(suite: (name: 'sqlite' | 'postgres', open: OpenDatabase) => void): void {
  describe('on SQLite', () => suite('sqlite', openTestSqlite));
  if (process.env.CANONRY_TEST_POSTGRES === 'off') {
    test('on PostgreSQL', { skip: 'no PostgreSQL server' }, () => {});
    return;
  }
  describe('on PostgreSQL', () => suite('postgres', openTestPostgres));
}
