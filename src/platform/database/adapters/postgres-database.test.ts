import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import { openTestPostgres } from '../../../../test/support/databases.ts';
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
    await new Promise((resolve) => setTimeout(resolve, 100));
    await administrator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await administrator.end();
    await sleeping;
    await opened.database.system.write((db: Notes) =>
      db.insertInto('notes').values({ id: 1, text: '' }).execute(),
    );
  });

  test('a server that is away is unavailable within seconds', async () => {
    const database = openPostgres('postgres://postgres@127.0.0.1:1/none');
    for (const ask of [() => database.probe(), () => database.migrate([migration])]) {
      await assert.rejects(ask(), (error) => error instanceof DatabaseError && error.code === 'unavailable');
    }
    await database.close();
  });
});
