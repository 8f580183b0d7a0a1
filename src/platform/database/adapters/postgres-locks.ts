import pg from 'pg';
import { createLocks } from '../locks.ts';

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

/**
 * Locks over all processes that share a database. Any number of them are held on one connection, so that holding one
 * for long leaves room for others; only who must wait for another process takes a connection more.
 */
export function createPostgresLocks(settings: pg.PoolConfig) {
  const here = createLocks();
  // Work under a lock may take minutes, and so may waiting for it.
  const waiting = new pg.Pool({ ...settings, max: MOST_WAITING, statement_timeout: 0 });
  waiting.on('error', () => {});
  waiting.on('connect', (client) => client.on('error', () => {}));
  let session: Promise<pg.Client> | null = null;
  const turns = createLocks();

  async function connect(lost: () => void): Promise<pg.Client> {
    const client = new pg.Client(settings);
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
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

  const ask = (client: pg.Client, text: string, name: string) =>
    turns.run('', () => client.query<{ yes: boolean }>(text, [name]));

  async function takeIfFree(name: string): Promise<Release | null> {
    const client = await shared();
    const { rows } = await ask(client, TRY, name);
    if (!rows[0]?.yes) return null;
    // A lock that went with its connection is free already.
    return async () => void (await ask(client, FREE, name).catch(() => {}));
  }

  async function take(name: string): Promise<Release> {
    for (;;) {
      const taken = await takeIfFree(name);
      if (taken) return taken;
      const client = await waiting.connect().catch((error: unknown) => {
        if (waiting.totalCount < MOST_WAITING) throw error;
        // All of them wait for other locks: look again.
        return null;
      });
      if (client) return waitOn(client, name);
    }
  }

  async function waitOn(client: pg.PoolClient, name: string): Promise<Release> {
    try {
      await client.query(WAIT, [name]);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    return () =>
      client.query(FREE, [name]).then(
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
        const { rows } = await turns.run('', () => client.query<{ name: string }>(TRY_MANY, [free]));
        const taken = rows.map(({ name }) => name);
        const release = async () =>
          void (await turns.run('', () => client.query(FREE_MANY, [taken])).catch(() => {}));
        return holding(release, () => work(taken));
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
