import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import { openTestPostgres } from '../../../../test/support/databases.ts';
import { startRelay } from '../../../../test/support/relay.ts';
import { until } from '../../../../test/support/until.ts';
import { DatabaseError } from '../database.ts';
import type { Migration } from '../migration.ts';
import { openPostgres } from './postgres-database.ts';

type Notes = Kysely<{ notes: { id: number; text: string } }>;
const migration: Migration = {
  name: 'notes-1',
  up: (db, { text, bigint }) =>
    db.schema
      .createTable('notes')
      .addColumn('id', bigint, (column) => column.primaryKey())
      .addColumn('text', text)
      .execute(),
};

const selectOne = (db: Kysely<unknown>) => db.executeQuery(CompiledQuery.raw('select 1'));

const off = process.env.CANONRY_TEST_POSTGRES === 'off';

describe('PostgreSQL', { skip: off ? 'no PostgreSQL server' : false }, () => {
  test('processes that migrate at once do it once', async (t) => {
    const opened = await openTestPostgres();
    t.after(opened.close);
    const reports = await Promise.all(
      [opened.database, opened.again(), opened.again()].map((each) => each.migrate([migration])),
    );
    assert.deepEqual(
      reports.flatMap(({ applied }) => applied),
      ['notes-1'],
    );
  });

  test('what is held in another process is not free, and free once that is gone', async (t) => {
    const opened = await openTestPostgres();
    t.after(opened.close);
    const { system } = opened.database;
    const ask = () =>
      system.ifFree(
        'key',
        async () => 'free',
        async () => 'taken',
      );
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const work = opened.again().system.exclusive('key', () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    assert.deepEqual([await ask(), await system.isHeld('key')], ['taken', true]);
    end.resolve();
    await work;
    assert.deepEqual([await ask(), await system.isHeld('key')], ['free', false]);
  });

  test('exclusive work excludes other processes', async (t) => {
    const opened = await openTestPostgres();
    t.after(opened.close);
    const processes = [opened.database, opened.again()];
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(
      processes.flatMap((each) => [1, 2, 3].map(() => each.tenant('local').exclusive('key', work))),
    );
    assert.equal(most, 1);
  });

  test('processes that lock each other out both get through', async (t) => {
    const opened = await openTestPostgres();
    t.after(opened.close);
    await opened.database.migrate([migration]);
    await opened.database.system.write((db: Notes) =>
      db
        .insertInto('notes')
        .values([1, 2].map((id) => ({ id, text: '' })))
        .execute(),
    );
    const touch = (db: Notes, id: number) =>
      db.updateTable('notes').set({ text: 'x' }).where('id', '=', id).execute();
    const both = (ids: number[]) => async (db: Notes) => {
      for (const id of ids) {
        await touch(db, id);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await Promise.all([
      opened.database.system.write(both([1, 2])),
      opened.again().system.write(both([2, 1])),
    ]);
  });

  test('connections that were cut are unavailable for a moment and then new', async (t) => {
    const opened = await openTestPostgres();
    t.after(opened.close);
    await opened.database.migrate([migration]);
    const sleeping = assert.rejects(
      opened.database.system.read((db) => db.executeQuery(CompiledQuery.raw('select pg_sleep(20)'))),
      (error) => error instanceof DatabaseError && error.code === 'unavailable',
    );
    await opened.database.probe();
    const administrator = new pg.Client({ connectionString: opened.url });
    await administrator.connect();
    await until(async () => {
      const { rowCount } = await administrator.query(
        "select from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'",
      );
      return rowCount === 1;
    });
    await administrator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await administrator.end();
    await sleeping;
    await opened.database.system.write((db: Notes) =>
      db.insertInto('notes').values({ id: 1, text: '' }).execute(),
    );
  });

  test('a connection that is cut between two queries ends its transaction and its lock, and nothing else', async (t) => {
    const opened = await openTestPostgres();
    await opened.database.migrate([migration]);
    const { system } = opened.database;
    const administrator = new pg.Client({ connectionString: opened.url });
    await administrator.connect();
    t.after(async () => {
      await administrator.end();
      await opened.close();
    });
    const others =
      'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = $1';
    const cutAll = async () => {
      await administrator.query(`select pg_terminate_backend(pid) ${others}`, ['client backend']);
      while ((await administrator.query(`select ${others}`, ['client backend'])).rowCount !== 0);
    };
    const write = (db: Notes, id: number) => db.insertInto('notes').values({ id, text: '' }).execute();
    const cut = system.exclusive('key', () =>
      system.write(async (db: Notes) => {
        await write(db, 1);
        await cutAll();
        await write(db, 2);
      }),
    );
    await assert.rejects(cut, (error) => error instanceof DatabaseError && error.code === 'unavailable');
    await system.exclusive('key', () => system.write((db: Notes) => write(db, 3)));
    const rows = await system.read((db: Notes) => db.selectFrom('notes').select('id').execute());
    assert.deepEqual(rows, [{ id: 3 }]);
  });

  test('a server that takes connections and says nothing is unavailable, to whoever waits for a lock too', async (t) => {
    const silent = createServer((socket) => {
      socket.on('error', () => {});
      t.after(() => socket.destroy());
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const database = openPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`);
    t.after(() => database.close());
    const { system } = database;
    const asked = {
      read: system.read(selectOne),
      write: system.write(selectOne),
      exclusive: system.exclusive('key', async () => {}),
      ifFree: system.ifFree(
        'other',
        async () => {},
        async () => {},
      ),
    };
    const isUnavailable = (error: unknown) => error instanceof DatabaseError && error.code === 'unavailable';
    await Promise.all(
      Object.entries(asked).map(([what, answer]) => assert.rejects(answer, isUnavailable, what)),
    );
  });

  test('a server that freezes is given up by whoever waits for it, and used again when it thaws', async (t) => {
    const opened = await openTestPostgres();
    await opened.database.migrate([migration]);
    const relay = await startRelay(t, opened.url);
    const database = openPostgres(relay.url, { probeAfterMs: 100, pauseMs: 50, probeMs: 200 });
    t.after(async () => {
      await database.close();
      await opened.close();
    });
    const { system } = database;
    const write = (id: number) => (db: Notes) => db.insertInto('notes').values({ id, text: '' }).execute();
    await system.write(write(1));
    await system.exclusive('warm', () => system.read(selectOne));
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = opened.database.system.exclusive('held', () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const halfWay = system.write(async (db: Notes) => {
      await write(2)(db);
      inside.resolve();
      await goOn.promise;
    });
    await inside.promise;
    relay.freeze(true);
    goOn.resolve();
    const gaveUp = (error: unknown) => error instanceof DatabaseError && error.code === 'unavailable';
    await assert.rejects(halfWay, (error) => error instanceof DatabaseError && error.code === 'in_doubt');
    const asked = [
      system.read(selectOne),
      system.write(write(3)),
      system.exclusive('key', async () => {}),
      system.exclusive('held', async () => {}),
      system.withFree(['a', 'b'], async () => {}),
      system.isHeld('another'),
    ];
    await Promise.all(asked.map((each) => assert.rejects(each, gaveUp)));
    await assert.rejects(system.read(selectOne), gaveUp);
    relay.freeze(false);
    held.resolve();
    await holding;
    await until(() =>
      system.read(selectOne).then(
        () => true,
        () => false,
      ),
    );
    const other = opened.again().system;
    for (const key of ['key', 'held', 'a', 'b'])
      await until(
        async () => !(await other.isHeld(key)),
        () => `${key} is held by nobody`,
      );
    await system.exclusive('key', () => system.write(write(4)));
    const rows = await system.read((db: Notes) =>
      db.selectFrom('notes').select('id').orderBy('id').execute(),
    );
    assert.deepEqual(
      rows.map(({ id }) => id).filter((id) => id !== 2),
      [1, 4],
    );
  });

  test('a lock whose connection is lost without a word, as in a failover, is asked for anew on another', async (t) => {
    const opened = await openTestPostgres();
    const relay = await startRelay(t, opened.url);
    const database = openPostgres(relay.url, { probeAfterMs: 50, pauseMs: 20, probeMs: 1_000 });
    t.after(async () => {
      await database.close();
      await opened.close();
    });
    const { system } = database;
    const goOn = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = system.exclusive('long', () => {
      begun.resolve();
      return goOn.promise;
    });
    await begun.promise;
    const end = relay.strand();
    const gaveUp = (error: unknown) => error instanceof DatabaseError && error.code === 'unavailable';
    await assert.rejects(
      system.exclusive('key', async () => {}),
      gaveUp,
    );
    assert.equal(await system.exclusive('key', async () => 'again'), 'again');
    goOn.resolve();
    await holding;
    end();
    assert.equal(await system.exclusive('long', async () => 'free here'), 'free here');
  });

  test('a statement that is slow on a server that answers is not given up', async (t) => {
    const opened = await openTestPostgres();
    t.after(opened.close);
    const database = openPostgres(opened.url, { probeAfterMs: 50, pauseMs: 20, probeMs: 2_000 });
    t.after(() => database.close());
    await database.system.read((db) => db.executeQuery(CompiledQuery.raw('select pg_sleep(0.5)')));
  });

  test('a server that is away is unavailable within seconds', async () => {
    const database = openPostgres('postgres://postgres@127.0.0.1:1/none');
    for (const ask of [() => database.probe(), () => database.migrate([migration])]) {
      await assert.rejects(ask(), (error) => error instanceof DatabaseError && error.code === 'unavailable');
    }
    await database.close();
  });
});
