import type { Kysely } from 'kysely';
import pg from 'pg';
import { type Database, DatabaseError, type TenantDatabase } from '../database.ts';
import { createLocks } from '../locks.ts';
import { appliedMigrations, applyMigration } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { createWriteQueue, type Transaction, type WriteQueue } from '../write-queue.ts';
import { kyselyOver } from './postgres-connection.ts';
import { postgresDialect } from './postgres-dialect.ts';

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

const CONNECT_TIMEOUT = 3_000;
const STATEMENT_TIMEOUT = 30_000;

/** Classes and codes of errors that mean the server is away or out of room, not that the query is wrong. */
function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === '53100')
    return new DatabaseError('no_space', 'The database server is out of disk space', { cause: error });
  const away = /^(08|57P|53)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT)/.test(code);
  const lost = /terminated|timeout exceeded|Connection ended|not queryable/i.test(error.message);
  return away || lost
    ? new DatabaseError('unavailable', 'The database does not answer', { cause: error })
    : error;
}

/** Deadlock or serialization failure: PostgreSQL ended this side so that the other goes on. */
const lostToAnother = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');

const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
};

async function beginOn(pool: pg.Pool): Promise<Transaction<Kysely<unknown>>> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const run = async (text: string) => {
    try {
      await client.query(text);
    } catch (error) {
      broken = error as Error;
      throw error;
    }
  };
  const end = async (text: string) => {
    try {
      await run(text);
    } finally {
      client.release(broken);
    }
  };
  try {
    await run('begin');
  } catch (error) {
    client.release(broken);
    throw error;
  }
  let ended = false;
  return {
    connection: kyselyOver(client),
    savepoint: () => run('savepoint item'),
    releaseSavepoint: () => run('release savepoint item'),
    rollbackToSavepoint: () => run('rollback to savepoint item'),
    commit: () => {
      ended = true;
      return end('commit');
    },
    rollback: async () => {
      if (!ended) await end('rollback');
    },
  };
}

/** Holds a session lock on a connection of its own while `work` runs, so that other processes wait. */
async function withAdvisoryLock<Result>(
  pool: pg.Pool,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
    return await work();
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch((error: Error) => {
      broken = error;
    });
    client.release(broken && translated(broken) instanceof DatabaseError ? broken : undefined);
  }
}

export function openPostgres(url: string): Database {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...settings, max: 8 });
  // Locks wait on connections of their own, so that waiting for one never starves the work that would free it.
  const lockPool = new pg.Pool({ ...settings, max: 16 });
  for (const each of [pool, lockPool]) each.on('error', () => {});
  const reading = kyselyOver(pool);
  const locks = createLocks();
  const queues = new Map<string, WriteQueue<Kysely<unknown>>>();

  const queueOf = (tenantId: string) => {
    const known = queues.get(tenantId) ?? createWriteQueue(() => beginOn(pool), lostToAnother);
    queues.set(tenantId, known);
    return known;
  };

  const handleFor = (tenantId: string): TenantDatabase => ({
    tenantId,
    dialect: postgresDialect,
    read: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
      guarded(() => work(reading as Kysely<Tables>)),
    write: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
      guarded(() => queueOf(tenantId).run((db) => work(db as Kysely<Tables>))),
    exclusive: (key, work) => {
      const name = `${tenantId}\n${key}`;
      return locks.run(name, () => guarded(() => withAdvisoryLock(lockPool, name, work)));
    },
  });

  const pending = async (migrations: readonly Migration[]) => {
    const applied = await appliedMigrations(reading, postgresDialect);
    return migrations.filter((migration) => !applied.has(migration.name));
  };

  const system = handleFor('');
  return {
    dialect: postgresDialect,
    tenant: handleFor,
    system,
    pending: (migrations) =>
      guarded(async () => (await pending(migrations)).map((migration) => migration.name)),
    migrate: (migrations) =>
      system.exclusive('migrate', async () => {
        const steps = await pending(migrations);
        for (const step of steps) {
          await queueOf('').run((db) => applyMigration(db, postgresDialect, step));
        }
        return { applied: steps.map((step) => step.name), backup: null };
      }),
    probe: () =>
      guarded(async () => {
        const timeout = AbortSignal.timeout(2_000);
        const late = new Promise<never>((_resolve, reject) => {
          timeout.addEventListener('abort', () =>
            reject(new DatabaseError('unavailable', 'The database did not answer within 2 seconds')),
          );
        });
        await Promise.race([pool.query('select 1'), late]);
      }),
    integrity: async () => [],
    async close() {
      for (const queue of queues.values()) await queue.idle();
      await Promise.all([pool.end(), lockPool.end()]);
    },
  };
}
