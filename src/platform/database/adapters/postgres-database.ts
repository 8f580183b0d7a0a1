import type { Kysely } from 'kysely';
import pg from 'pg';
import { type Database, DatabaseError, type TenantDatabase } from '../database.ts';
import { appliedMigrations, applyMigration } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { createWriteQueue, type Transaction, type WriteQueue } from '../write-queue.ts';
import { kyselyOver } from './postgres-connection.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { createLiveness, type Liveness } from './postgres-liveness.ts';
import { createPostgresLocks } from './postgres-locks.ts';
import { createSessions, type Sessions, SYSTEM } from './postgres-session.ts';
import { raiseWall } from './postgres-wall.ts';

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

const CONNECT_TIMEOUT = 3_000;
const STATEMENT_TIMEOUT = 30_000;
/** Longer than any answer of a server that enforces its own limits: only a query on an abandoned connection ends with this. */
const QUERY_TIMEOUT = 40_000;

/** In milliseconds: how a server is noticed that has stopped answering. */
export interface PostgresLimits {
  /** A query that runs longer is a reason to probe the server. */
  probeAfterMs: number;
  pauseMs: number;
  probeMs: number;
}

/** Times `probeAfterMs`. Lock connections get more time, because dropping one drops its locks. */
const LOCK_SILENCE_FACTOR = 3;

/** With these limits a caller learns of an outage within ten seconds. */
const LIMITS: PostgresLimits = { probeAfterMs: 3_000, pauseMs: 1_000, probeMs: 2_500 };

/** Recognizes errors by class and code: the server is unavailable or out of space, and the query is not at fault. */
function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === '53100')
    return new DatabaseError('no_space', 'The database server is out of disk space', { cause: error });
  const away = /^(08|57P|53)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT)/.test(code);
  const lost = /terminated|timeout (exceeded|expired)|read timeout|Connection ended|not queryable/i.test(
    error.message,
  );
  return away || lost
    ? new DatabaseError('unavailable', 'The database does not answer', { cause: error })
    : error;
}

/** Deadlock or serialization failure: PostgreSQL aborted this transaction so that the other can continue. */
const lostToAnother = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');

const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
};

/** Resolves if the server answers on a new connection. A refusal, such as too many connections, counts as an answer. */
async function probeServer(settings: pg.ClientConfig, probeMs: number): Promise<void> {
  const client = new pg.Client({
    ...settings,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
  } finally {
    client.end().catch(() => {});
  }
}

interface Server {
  pool: pg.Pool;
  sessions: Sessions;
  liveness: Liveness;
}

/** After a failure the connection is discarded. */
async function readOn(
  { pool, sessions, liveness }: Server,
  tenantId: string,
  query: pg.QueryConfig,
): Promise<pg.QueryResult> {
  liveness.requireAlive();
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await liveness.watch(() => sessions.run(client, tenantId, query));
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/** A commit without an answer may have happened. */
function inDoubt(error: unknown): unknown {
  if (!(translated(error) instanceof DatabaseError)) return error;
  const message = 'The database does not answer, and the change may be stored or not';
  return new DatabaseError('in_doubt', message, { cause: error });
}

type Begin = (client: pg.PoolClient) => Promise<unknown>;

/** If an idle connection turns out to be cut, the next one is tried: nothing was sent on it yet. */
async function begunOn({ pool, liveness }: Server, begin: Begin): Promise<pg.PoolClient> {
  for (;;) {
    liveness.requireAlive();
    const mayBeStale = pool.idleCount > 0;
    const client = await pool.connect();
    try {
      await liveness.watch(() => begin(client));
      return client;
    } catch (error) {
      client.release(error as Error);
      if (!mayBeStale || !(translated(error) instanceof DatabaseError)) throw error;
    }
  }
}

async function beginOn(server: Server, begin: Begin): Promise<Transaction<Kysely<unknown>>> {
  const { liveness } = server;
  const client = await begunOn(server, begin);
  let broken: Error | undefined;
  const run = async (text: string) => {
    try {
      await liveness.watch(() => client.query(text));
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
  let ended = false;
  return {
    connection: kyselyOver({ query: (query) => liveness.watch(() => client.query(query)) }),
    savepoint: () => run('savepoint item'),
    releaseSavepoint: () => run('release savepoint item'),
    rollbackToSavepoint: () => run('rollback to savepoint item'),
    commit: () => {
      ended = true;
      return end('commit').catch((error: unknown) => {
        throw inDoubt(error);
      });
    },
    rollback: async () => {
      if (!ended) await end('rollback');
    },
  };
}

export function openPostgres(url: string, limits: Partial<PostgresLimits> = {}): Database {
  const { probeAfterMs, pauseMs, probeMs } = { ...LIMITS, ...limits };
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new pg.Pool({ ...settings, query_timeout: QUERY_TIMEOUT, max: 8, pipeline: true });
  pool.on('error', () => {});
  // A connection cut between two queries of a transaction reports it only here; the next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  const sessions = createSessions();
  const liveness = createLiveness({ probeAfterMs, pauseMs, probe: () => probeServer(settings, probeMs) });
  const server = { pool, sessions, liveness };
  // Locks have connections of their own, so that waiting for one never starves the work that would free it.
  const locks = createPostgresLocks(settings, liveness, LOCK_SILENCE_FACTOR * probeAfterMs);
  const queues = new Map<string, WriteQueue<Kysely<unknown>>>();

  const beginAs =
    (tenantId: string, durable: boolean): Begin =>
    (client) =>
      sessions.run(client, tenantId, {
        text: durable ? 'begin' : 'begin; set local synchronous_commit = off',
      });
  const queueOf = (tenantId: string) => {
    const known =
      queues.get(tenantId) ??
      createWriteQueue((durable) => beginOn(server, beginAs(tenantId, durable)), {
        isPassing: lostToAnother,
      });
    queues.set(tenantId, known);
    return known;
  };

  const handleFor = (tenantId: string): TenantDatabase => {
    sessions.renew(tenantId);
    const reading = kyselyOver({ query: (query) => readOn(server, tenantId, query) });
    const nameOf = (key: string) => `${tenantId}\n${key}`;
    return {
      tenantId,
      dialect: postgresDialect,
      read: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
        guarded(() => work(reading as Kysely<Tables>)),
      write: (work, options) =>
        guarded(() => queueOf(tenantId).run((db) => work(db as Parameters<typeof work>[0]), options)),
      exclusive: (key, work) => guarded(() => locks.exclusive(nameOf(key), work)),
      isHeld: (key) => guarded(() => locks.isHeld(nameOf(key))),
      withFree: (keys, work) =>
        guarded(() => {
          const names = new Map(keys.map((key) => [nameOf(key), key]));
          return locks.withFree([...names.keys()], (taken) =>
            work(new Set(taken.flatMap((name) => names.get(name) ?? []))),
          );
        }),
      ifFree: (key, work, otherwise) => guarded(() => locks.ifFree(nameOf(key), work, otherwise)),
    };
  };

  const system = handleFor(SYSTEM);
  const pending = async (migrations: readonly Migration[]) => {
    const applied = await system.read((db) => appliedMigrations(db, postgresDialect));
    return migrations.filter((migration) => !applied.has(migration.name));
  };

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
          await system.write((db) => applyMigration(db, postgresDialect, step));
        }
        const { rowOwner } = migrations.find((migration) => migration.rowOwner) ?? {};
        await system.write((db) => raiseWall(db, rowOwner));
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
      liveness.close();
      await Promise.all([pool.end(), locks.close()]);
    },
  };
}
