import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { openTestSqlite } from '../../../../test/support/databases.ts';
import { DatabaseError } from '../database.ts';
import type { Migration } from '../migration.ts';
import { openSqlite } from './sqlite-database.ts';

const first: Migration = {
  name: 'notes-1',
  up: (db, { text }) => db.schema.createTable('notes').addColumn('text', text).execute(),
};
const second: Migration = {
  name: 'notes-2',
  up: async (db) => void (await (db as Kysely<{ notes: { text: string } }>).deleteFrom('notes').execute()),
};

test('a file that exists is copied before its tables change, a new one is not', async (t) => {
  const opened = await openTestSqlite();
  t.after(opened.close);
  const path = opened.url.replace('sqlite:', '');
  assert.equal((await opened.database.migrate([first])).backup, null);
  const again = opened.again();
  type Notes = Kysely<{ notes: { text: string } }>;
  await again.system.write((db: Notes) => db.insertInto('notes').values({ text: 'keep me' }).execute());
  const { backup, applied } = await again.migrate([first, second]);
  assert.deepEqual(applied, ['notes-2']);
  assert.ok(backup !== null && existsSync(backup));
  const copy = openSqlite(backup);
  const rows = await copy.system.read((db: Notes) => db.selectFrom('notes').selectAll().execute());
  await copy.close();
  assert.deepEqual(rows, [{ text: 'keep me' }]);
  assert.equal((await again.migrate([first, second])).backup, null);
  assert.equal(
    readdirSync(dirname(path)).filter((name) => name.includes('.before-') && !/-(wal|shm)$/.test(name))
      .length,
    1,
  );
});

test('a file that cannot be opened says so', () => {
  assert.throws(
    () => openSqlite('/nonexistent/folder/canonry.db'),
    (error) => {
      assert.ok(error instanceof DatabaseError);
      assert.match(error.message, /\/nonexistent\/folder/);
      return true;
    },
  );
});

test('rows survive closing and opening', async (t) => {
  const opened = await openTestSqlite();
  t.after(opened.close);
  await opened.database.migrate([first]);
  type Notes = Kysely<{ notes: { text: string } }>;
  await opened.database.system.write((db: Notes) =>
    db.insertInto('notes').values({ text: 'here' }).execute(),
  );
  const again = opened.again();
  assert.deepEqual(await again.system.read((db: Notes) => db.selectFrom('notes').selectAll().execute()), [
    { text: 'here' },
  ]);
});

test('a row that was to be indexed when the process ended is found by the next one', async (t) => {
  const opened = await openTestSqlite();
  t.after(opened.close);
  const index: Migration = {
    name: 'search-1',
    async up(db, { fullText }) {
      await fullText.createIndex(db);
      await fullText.createBuffer(db);
    },
  };
  await opened.database.migrate([index]);
  await opened.database.system.write((db) =>
    opened.database.dialect.fullText.put(db, [
      { row_id: 1, name: 'raven', fields: '', body: '', scopes: ['p'], isNew: true },
    ]),
  );
  const again = opened.again();
  const phrases = [{ tokens: ['raven'], prefix: false }];
  const found = await again.system.read((db) =>
    again.dialect.fullText.find(db, { scope: 'p', phrases, limit: 10, offset: 0 }),
  );
  assert.deepEqual(found, { rowIds: [1], total: 1 });
});

const MEGABYTE = 2 ** 20;

/** And the size of its log in megabytes. */
async function openRoomy(t: TestContext) {
  const opened = await openTestSqlite();
  t.after(opened.close);
  await opened.database.migrate([
    {
      name: 'rooms-1',
      up: (db) => db.schema.createTable('rooms').addColumn('bytes', 'blob').execute(),
    },
  ]);
  const path = opened.url.replace('sqlite:', '');
  type Rooms = Kysely<{ rooms: { bytes: Buffer } }>;
  return {
    path,
    write: (fill: number) =>
      opened.database.system.write(
        (db: Rooms) =>
          db
            .insertInto('rooms')
            .values({ bytes: Buffer.alloc(2 * MEGABYTE, fill) })
            .execute(),
        { durable: false },
      ),
    logMegabytes: () => statSync(`${path}-wal`).size / MEGABYTE,
  };
}

test('the log begins again at its start however many transactions follow one another', async (t) => {
  const { write, logMegabytes, path } = await openRoomy(t);
  for (let count = 0; count < 80; count += 1) await write(count);
  assert.ok(logMegabytes() < 100, `${logMegabytes()} of 160 MB`);
  assert.ok(statSync(path).size > 90 * MEGABYTE, 'what was written lies in the file');
});

test('somebody who reads an old state holds up neither writers nor, afterwards, the log', async (t) => {
  const { write, logMegabytes, path } = await openRoomy(t);
  const other = new Sqlite(path);
  t.after(() => other.close());
  other.exec('begin');
  other.prepare('select count(*) from rooms').get();
  for (let count = 0; count < 40; count += 1) await write(count);
  const held = logMegabytes();
  assert.ok(held > 80, `${held} MB`);
  other.exec('commit');
  for (let count = 0; count < 20; count += 1) await write(count);
  // A checkpoint may still be under way at the first of these writes; the log then grows once by theirs.
  assert.ok(logMegabytes() < held + 20, `${logMegabytes()} MB after ${held} MB`);
});

test('where no thread can be started the log goes into the file all the same', async (t) => {
  const opened = await openTestSqlite();
  t.after(opened.close);
  await opened.release();
  const path = opened.url.replace('sqlite:', '');
  const script = `
    import { statSync } from 'node:fs';
    import { openSqlite } from ${JSON.stringify(import.meta.resolve('./sqlite-database.ts'))};
    const database = openSqlite(${JSON.stringify(path)});
    const up = (db) => db.schema.createTable('rooms').addColumn('bytes', 'blob').execute();
    await database.migrate([{ name: 'rooms-1', up }]);
    const bytes = Buffer.alloc(${4 * MEGABYTE}, 1);
    for (let count = 0; count < 40; count += 1)
      await database.system.write((db) => db.insertInto('rooms').values({ bytes }).execute(), { durable: false });
    console.log(statSync(${JSON.stringify(path)}).size);
    await database.close();`;
  // With these permissions a process cannot start threads.
  const flags = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-addons'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '-e',
    script,
  ]);
  assert.ok(Number(stdout) > 100 * MEGABYTE, stdout);
});

test('while somebody else writes, everything but writing goes on, and a writer waits its time', async (t) => {
  const opened = await openTestSqlite();
  t.after(opened.close);
  await opened.database.migrate([first]);
  await opened.release();
  const path = opened.url.replace('sqlite:', '');
  type Notes = Kysely<{ notes: { text: string } }>;
  const open = (lockTimeoutMs?: number) => {
    const { system, close } = openSqlite(path, lockTimeoutMs === undefined ? {} : { lockTimeoutMs });
    return {
      close,
      write: (text: string) =>
        system.write((db: Notes) => db.insertInto('notes').values({ text }).execute()).then(() => text),
      read: () => system.read((db: Notes) => db.selectFrom('notes').selectAll().execute()),
    };
  };
  const [patient, impatient] = [open(), open(60)];
  t.after(() => Promise.all([patient.close(), impatient.close()]));
  const other = new Sqlite(path);
  t.after(() => other.close());
  other.exec('begin immediate');
  const written = patient.write('late');
  const passed = pause(200, 'the loop goes on');
  assert.equal(await Promise.race([written, passed]), 'the loop goes on');
  assert.deepEqual(await patient.read(), []);
  await assert.rejects(
    impatient.write('never'),
    (error) => error instanceof DatabaseError && error.code === 'unavailable',
  );
  other.exec('commit');
  assert.equal(await written, 'late');
  assert.equal(await impatient.write('then'), 'then');
  assert.deepEqual(await patient.read(), [{ text: 'late' }, { text: 'then' }]);
});
