import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { messageOf } from '../../../kit/errors.ts';
import { type Database, DatabaseError, type TenantDatabase } from '../database.ts';
import { createLocks } from '../locks.ts';
import { appliedMigrations, applyMigration } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { createWriteQueue, type Transaction } from '../write-queue.ts';
import { createCheckpoints } from './sqlite-checkpoints.ts';
import { isLocked, kyselyOver, readingConnection, SqliteConnection } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { createSqliteFullText } from './sqlite-full-text.ts';

/** Milliseconds that a writer waits while another process writes, short enough to answer before callers give up. */
const LOCK_TIMEOUT_MS = 8_000;
/** SQLite blocks the event loop while it waits for a lock. Only reads may do so, during the recovery of the log. */
const BUSY_MS = { writer: 0, reader: 100 };

/** Milliseconds after which a batch is committed before more is added: a commit writes all of it without yielding. */
const LONGEST_MS = 50;

interface HandleOptions {
  cacheKilobytes: number;
  busyMs: number;
}

function open(path: string, { cacheKilobytes, busyMs }: HandleOptions): Sqlite.Database {
  const handle = new Sqlite(path);
  // An entity's reply and head fit into one such page. The setting affects only new files.
  handle.pragma('page_size = 8192');
  handle.pragma('synchronous = FULL');
  handle.pragma('foreign_keys = ON');
  handle.pragma(`cache_size = -${cacheKilobytes}`);
  handle.pragma('journal_mode = WAL');
  handle.pragma('temp_store = MEMORY');
  handle.pragma(`busy_timeout = ${busyMs}`);
  return handle;
}

/** Refreshes the query planner's statistics; a read-only file does without. */
function tidy(handle: Sqlite.Database): void {
  try {
    handle.pragma('optimize');
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  }
}

const CODES: Record<string, DatabaseError['code']> = {
  SQLITE_FULL: 'no_space',
  SQLITE_READONLY: 'read_only',
  SQLITE_BUSY: 'unavailable',
  SQLITE_IOERR: 'unavailable',
  SQLITE_CANTOPEN: 'unavailable',
};

function translated(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const code = CODES[error.code] ?? CODES[error.code.split('_').slice(0, 2).join('_')];
  return code
    ? new DatabaseError(code, `The database file cannot be used: ${error.message}`, { cause: error })
    : error;
}

interface Around {
  beforeBegin(): Promise<void>;
  beforeCommit(): Promise<void>;
}

function transactionsOn(handle: Sqlite.Database, kysely: Kysely<unknown>, around: Around) {
  const begin = handle.prepare('begin immediate');
  const commit = handle.prepare('commit');
  let isDurable = true;

  return async (durable: boolean): Promise<Transaction<Kysely<unknown>>> => {
    await around.beforeBegin();
    if (durable !== isDurable) handle.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    isDurable = durable;
    begin.run();
    return {
      connection: kysely,
      savepoint: async () => void handle.exec('savepoint item'),
      releaseSavepoint: async () => void handle.exec('release item'),
      rollbackToSavepoint: async () => void handle.exec('rollback to item; release item'),
      commit: async () => {
        await around.beforeCommit();
        commit.run();
      },
      rollback: async () => {
        if (handle.inTransaction) handle.exec('rollback');
      },
    };
  };
}

function openTranslated(path: string, options: HandleOptions): Sqlite.Database {
  try {
    return open(path, options);
  } catch (error) {
    const cause = translated(error);
    if (cause instanceof DatabaseError) throw cause;
    throw new DatabaseError('unavailable', `The database ${path} cannot be opened: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** A database in one file. Only one process at a time opens it: the pid file of the data folder ensures that. */
export function openSqlite(path: string, { lockTimeoutMs = LOCK_TIMEOUT_MS } = {}): Database {
  const existed = existsSync(path);
  const writer = openTranslated(path, { cacheKilobytes: 16_000, busyMs: BUSY_MS.writer });
  const reader = openTranslated(path, { cacheKilobytes: 8_000, busyMs: BUSY_MS.reader });
  const connection = new SqliteConnection(writer);
  const writing = kyselyOver(connection);
  const reading = kyselyOver(readingConnection(new SqliteConnection(reader), connection));
  const locks = createLocks();
  const checkpoints = createCheckpoints(path, writer);
  const fullText = createSqliteFullText((work) => queue.run(work));
  const queue = createWriteQueue(
    transactionsOn(writer, writing, {
      beforeBegin: checkpoints.between,
      beforeCommit: () => fullText.flush(writing),
    }),
    { isLocked, lockTimeoutMs, longestMs: LONGEST_MS },
  );
  const dialect = createSqliteDialect(fullText);

  const handleFor = (tenantId: string): TenantDatabase => ({
    tenantId,
    dialect,
    read: async <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) => {
      try {
        return await work(reading as Kysely<Tables>);
      } catch (error) {
        throw translated(error);
      }
    },
    write: async (work, options) => {
      try {
        return await queue.run((db) => work(db as Parameters<typeof work>[0]), options);
      } catch (error) {
        throw translated(error);
      }
    },
    exclusive: (key, work) => locks.run(`${tenantId}\n${key}`, work),
    isHeld: async (key) => locks.isHeld(`${tenantId}\n${key}`),
    withFree: (keys, work) => {
      const names = new Map(keys.map((key) => [`${tenantId}\n${key}`, key]));
      return locks.withFree([...names.keys()], (taken) =>
        work(new Set(taken.flatMap((name) => names.get(name) ?? []))),
      );
    },
    ifFree: (key, work, otherwise) => {
      const name = `${tenantId}\n${key}`;
      return locks.isHeld(name) ? otherwise() : locks.run(name, work);
    },
  });

  const pending = async (migrations: readonly Migration[]) => {
    const applied = await appliedMigrations(writing, dialect);
    return migrations.filter((migration) => !applied.has(migration.name));
  };

  const backUp = async (): Promise<string> => {
    const copy = `${path}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await writer.backup(copy);
    return copy;
  };

  return {
    dialect,
    tenant: handleFor,
    system: handleFor(''),
    pending: async (migrations) => (await pending(migrations)).map((migration) => migration.name),
    async migrate(migrations) {
      const steps = await pending(migrations);
      const backup = existed && steps.length > 0 ? await backUp() : null;
      for (const step of steps) await queue.run((db) => applyMigration(db, dialect, step));
      return { applied: steps.map((step) => step.name), backup };
    },
    probe: async () => void reader.prepare('select 1').get(),
    async integrity() {
      try {
        const rows = reader.pragma('integrity_check(20)') as { integrity_check: string }[];
        return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
      } catch (error) {
        if (error instanceof Sqlite.SqliteError) return [error.message];
        throw error;
      }
    },
    async close() {
      await fullText.close();
      await queue.idle();
      await checkpoints.close();
      reader.close();
      tidy(writer);
      writer.close();
    },
  };
}
