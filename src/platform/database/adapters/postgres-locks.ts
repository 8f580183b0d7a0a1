import pg from 'pg';
import { DatabaseError } from '../database.ts';
import { createLocks } from '../locks.ts';
import type { Liveness } from './postgres-liveness.ts';

/** Connections on which this process waits for locks that another one holds. */
const MOST_WAITING = 16;

const TRY = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as yes';
const WAIT = 'select pg_advisory_lock(hashtextextended($1, 0))';
const IS_HELD = `select exists (select from pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())
  and ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0) and granted) as yes`;
const FREE = 'select pg_advisory_unlock(hashtextextended($1, 0))';

const TRY_MANY = `select name from unnest($1::text[]) as name
  where pg_try_advisory_lock(hashtextextended(name, 0))`;
const FREE_MANY = 'select pg_advisory_unlock(hashtextextended(name, 0)) from unnest($1::text[]) as name';

type Release = () => Promise<void>;

/** The server answers elsewhere but not on this connection: the path to it is broken, or a failover has replaced it. */
class StrandedError extends DatabaseError {
  constructor() {
    super('unavailable', 'The connection to the database is lost');
    this.name = 'StrandedError';
  }
}

/**
 * Locks among all processes that share a database. One connection holds any number of them, so that holding one for long
 * does not use up connections; only waiting for another process takes an extra one. If the connection has not answered
 * for `answerMs` while the server does answer elsewhere, it is dropped together with its locks, just like one that
 * breaks.
 */
export function createPostgresLocks(settings: pg.PoolConfig, liveness: Liveness, answerMs: number) {
  const here = createLocks();
  // Work under a lock may take minutes, and so may waiting for it.
  const waiting = new pg.Pool({ ...settings, max: MOST_WAITING, statement_timeout: 0 });
  waiting.on('error', () => {});
  waiting.on('connect', (client) => client.on('error', () => {}));
  let session: Promise<pg.Client> | null = null;
  let current: pg.Client | null = null;
  const turns = createLocks();

  async function connect(lost: () => void): Promise<pg.Client> {
    const client = new pg.Client(settings);
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    current = client;
    return client;
  }

  function shared(): Promise<pg.Client> {
    if (session) return session;
    const forget = () => {
      if (session === mine) session = null;
    };
    const mine = connect(forget);
    mine.catch(forget);
    session = mine;
    return mine;
  }

  /** Rejects if only this connection is silent. */
  function answered<Result>(query: () => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const timer = setInterval(async () => {
        if (await liveness.answers()) reject(new StrandedError());
      }, answerMs).unref();
      query()
        .finally(() => clearInterval(timer))
        .then(resolve, reject);
    });
  }

  const queryOn = <Row extends pg.QueryResultRow>(client: pg.Client, text: string, value: unknown) =>
    turns.run('', () =>
      answered(() => client.query<Row>(text, [value])).catch((error: unknown) => {
        if (error instanceof StrandedError) {
          // The session is reset now, since the next caller must not get it; the `end` event comes later.
          if (client === current) session = null;
          client.end().catch(() => {});
        }
        throw error;
      }),
    );

  const ask = (client: pg.Client, text: string, name: string) =>
    liveness.watch(() => queryOn<{ yes: boolean }>(client, text, name));

  /**
   * The query is sent even to a server that does not answer, but only an answering one is waited for. A lock whose
   * connection is gone is free already.
   */
  function releaseOn(client: pg.Client, text: string, value: unknown): Promise<void> {
    const answer = queryOn(client, text, value).then(
      () => {},
      () => {},
    );
    return liveness.watch(() => answer).catch(() => {});
  }

  /** A lock granted after the caller has given up is released again. */
  async function askFor<Row extends pg.QueryResultRow>(
    client: pg.Client,
    text: string,
    value: unknown,
    giveBack: (rows: Row[]) => void,
  ): Promise<Row[]> {
    liveness.requireAlive();
    const answer = queryOn<Row>(client, text, value);
    try {
      return (await liveness.watch(() => answer)).rows;
    } catch (error) {
      answer.then(
        ({ rows }) => giveBack(rows),
        () => {},
      );
      throw error;
    }
  }

  async function takeIfFree(name: string): Promise<Release | null> {
    const client = await shared();
    const release = () => releaseOn(client, FREE, name);
    const [answer] = await askFor<{ yes: boolean }>(client, TRY, name, ([late]) => {
      if (late?.yes) void release();
    });
    return answer?.yes ? release : null;
  }

  async function take(name: string): Promise<Release> {
    for (;;) {
      const taken = await takeIfFree(name);
      if (taken) return taken;
      const client = await waiting.connect().catch((error: unknown) => {
        if (waiting.totalCount < MOST_WAITING) throw error;
        // All of these connections wait for other locks: try again.
        return null;
      });
      if (client) return waitOn(client, name);
    }
  }

  async function waitOn(client: pg.PoolClient, name: string): Promise<Release> {
    try {
      await liveness.watch(() => client.query(WAIT, [name]));
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    return () =>
      liveness
        .watch(() => answered(() => client.query(FREE, [name])))
        .then(
          () => client.release(),
          (error: Error) => client.release(error),
        );
  }

  async function holding<Result>(release: Release, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      await release();
    }
  }

  return {
    exclusive: <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
      here.run(name, async () => holding(await take(name), work)),

    async ifFree<Result>(
      name: string,
      work: () => Promise<Result>,
      otherwise: () => Promise<Result>,
    ): Promise<Result> {
      if (here.isHeld(name)) return otherwise();
      const done = await here.run(name, async () => {
        const release = await takeIfFree(name);
        return release && { result: await holding(release, work) };
      });
      return done ? done.result : otherwise();
    },

    withFree: <Result>(
      names: readonly string[],
      work: (taken: readonly string[]) => Promise<Result>,
    ): Promise<Result> =>
      here.withFree(names, async (free) => {
        if (free.length === 0) return work([]);
        const client = await shared();
        const release = (rows: readonly { name: string }[]) =>
          releaseOn(
            client,
            FREE_MANY,
            rows.map(({ name }) => name),
          );
        const rows = await askFor<{ name: string }>(client, TRY_MANY, free, (late) => void release(late));
        return holding(
          () => release(rows),
          () => work(rows.map(({ name }) => name)),
        );
      }),

    async isHeld(name: string): Promise<boolean> {
      if (here.isHeld(name)) return true;
      const { rows } = await ask(await shared(), IS_HELD, name);
      return rows[0]?.yes === true;
    },

    async close(): Promise<void> {
      const client = await session?.catch(() => null);
      await Promise.all([client?.end(), waiting.end()]);
    },
  };
}
