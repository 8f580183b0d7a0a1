import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Kysely } from 'kysely';
import type { OpenDatabase, OpenedDatabase } from '../../../test/support/databases.ts';
import { parseSearchQuery, searchableText } from '../../content/search-text.ts';
import type { Database, TenantDatabase } from './database.ts';
import type { SearchRow } from './dialect.ts';
import type { Migration } from './migration.ts';
import { prepared } from './prepared.ts';

interface Tables {
  items: { id: string; number: number | null; data: string };
}

const itemsMigration: Migration = {
  name: 'items-1',
  async up(db, dialect) {
    await db.schema
      .createTable('items')
      .addColumn('id', dialect.text, (column) => column.primaryKey())
      .addColumn('number', dialect.bigint)
      .addColumn('data', dialect.text, (column) => column.notNull())
      .execute();
  },
};

const searchMigration: Migration = { name: 'search-1', up: (db, { fullText }) => fullText.createIndex(db) };

const add = (tenant: TenantDatabase, id: string, data = '{}') =>
  tenant.write((db: Kysely<Tables>) => db.insertInto('items').values({ id, number: null, data }).execute());

const idsIn = async (tenant: TenantDatabase): Promise<string[]> => {
  const rows = await tenant.read((db: Kysely<Tables>) =>
    db.selectFrom('items').select('id').orderBy('id').execute(),
  );
  return rows.map(({ id }) => id);
};

/** What every database adapter does alike. */
export function databaseConformance(open: OpenDatabase): void {
  let opened: OpenedDatabase;
  let database: Database;
  let tenant: TenantDatabase;
  beforeEach(async () => {
    opened = await open();
    ({ database } = opened);
    tenant = database.tenant('local');
    await database.migrate([itemsMigration]);
  });
  afterEach(() => opened.close());

  test('a written row is there as soon as the write resolves', async () => {
    for (const id of ['a', 'b', 'c']) {
      await add(tenant, id);
      assert.ok((await idsIn(tenant)).includes(id));
    }
  });

  test('a write that fails takes back only its own changes', async () => {
    const results = await Promise.allSettled([
      add(tenant, 'a'),
      tenant.write(async (db: Kysely<Tables>) => {
        await db.insertInto('items').values({ id: 'half', number: 1, data: '' }).execute();
        throw new Error('on second thought');
      }),
      add(tenant, 'a'),
      add(tenant, 'b'),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await idsIn(tenant), ['a', 'b']);
    const [, second] = results;
    assert.equal(second?.status === 'rejected' && second.reason.message, 'on second thought');
  });

  test('50 writers at once all get what they wrote', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `w${String(index).padStart(2, '0')}`);
    const results = await Promise.all(
      ids.map((id) =>
        tenant.write(async (db: Kysely<Tables>) => {
          await db.insertInto('items').values({ id, number: 1, data: '' }).execute();
          return db.selectFrom('items').select('id').where('id', '=', id).executeTakeFirstOrThrow();
        }),
      ),
    );
    assert.deepEqual(
      results.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(await idsIn(tenant), ids);
  });

  test('a read sees nothing of a write before its end', async () => {
    let seen: string[] | undefined;
    await tenant.write(async (db: Kysely<Tables>) => {
      await db.insertInto('items').values({ id: 'a', number: 1, data: '' }).execute();
      seen = await idsIn(tenant);
    });
    assert.deepEqual(seen, []);
    assert.deepEqual(await idsIn(tenant), ['a']);
  });

  test('exclusive work of one key runs one after the other, of two keys together', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => tenant.exclusive('one', work)));
    assert.equal(most, 1);
    const one = Promise.withResolvers<void>();
    const two = Promise.withResolvers<void>();
    await Promise.all([
      tenant.exclusive('one', async () => {
        one.resolve();
        await two.promise;
      }),
      tenant.exclusive('two', async () => {
        two.resolve();
        await one.promise;
      }),
    ]);
  });

  test('exclusive work that fails frees its key and keeps its error', async () => {
    await assert.rejects(
      tenant.exclusive('one', () => Promise.reject(new RangeError('mine'))),
      RangeError,
    );
    assert.equal(await tenant.exclusive('one', async () => 'free'), 'free');
  });

  test('exclusive work may write and take another key', async () => {
    await tenant.exclusive('one', () => tenant.exclusive('two', () => add(tenant, 'a')));
    assert.deepEqual(await idsIn(tenant), ['a']);
  });

  test('migrations run once, in order, and are named while pending', async () => {
    assert.deepEqual(await database.pending([itemsMigration, searchMigration]), ['search-1']);
    assert.deepEqual((await database.migrate([itemsMigration, searchMigration])).applied, ['search-1']);
    assert.deepEqual((await database.migrate([itemsMigration, searchMigration])).applied, []);
  });

  test('a migration that fails leaves nothing, those before it stay', async () => {
    const good: Migration = {
      name: 'good',
      up: (db) => db.schema.createTable('good').addColumn('x', 'integer').execute(),
    };
    const bad: Migration = {
      name: 'bad',
      async up(db) {
        await db.schema.createTable('half').addColumn('x', 'integer').execute();
        throw new Error('cannot');
      },
    };
    await assert.rejects(database.migrate([good, bad]), /cannot/);
    const tables = await database.system.read(async (db) => db.introspection.getTables());
    assert.deepEqual(
      tables.map((table) => table.name).filter((name) => ['good', 'half'].includes(name)),
      ['good'],
    );
    assert.deepEqual(await database.pending([good, bad]), ['bad']);
  });

  test('text sorts by code point', async () => {
    const ids = ['Z', '_', 'a', 'z', 'ä', '中', '😀'];
    for (const id of ids.toReversed()) await add(tenant, id);
    assert.deepEqual(await idsIn(tenant), ids);
  });

  test('large numbers are numbers', async () => {
    const number = 2 ** 52 + 1;
    await tenant.write((db: Kysely<Tables>) =>
      db.insertInto('items').values({ id: 'a', number, data: '' }).execute(),
    );
    const row = await tenant.read((db: Kysely<Tables>) =>
      db.selectFrom('items').selectAll().executeTakeFirstOrThrow(),
    );
    assert.equal(row.number, number);
    const total = await tenant.read((db: Kysely<Tables>) =>
      db
        .selectFrom('items')
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    );
    assert.equal(total.count, 1);
  });

  test('upsert inserts, overwrites the named columns, or leaves what is there', async () => {
    const upsert = (rows: object[], update: string[]) =>
      tenant.write((db) => tenant.dialect.upsert(db, 'items', rows, { conflict: ['id'], update }));
    const read = () =>
      tenant.read((db: Kysely<Tables>) => db.selectFrom('items').selectAll().orderBy('id').execute());
    await upsert([], ['data']);
    const quoted = '{"text": "it\'s \\"quoted\\" $1 \\\\ ünï"}';
    await upsert(
      [
        { id: 'a', number: 1, data: 'one' },
        { id: 'b', number: null, data: quoted },
      ],
      ['data'],
    );
    await upsert(
      [
        { id: 'a', number: 2, data: 'two' },
        { id: 'c', number: 3, data: '' },
      ],
      ['data'],
    );
    await upsert([{ id: 'a', number: 9, data: 'nine' }], []);
    assert.deepEqual(await read(), [
      { id: 'a', number: 1, data: 'two' },
      { id: 'b', number: null, data: quoted },
      { id: 'c', number: 3, data: '' },
    ]);
    const many = Array.from({ length: 2000 }, (_, index) => ({ id: `m${index}`, number: index, data: '' }));
    await upsert(many, ['number']);
    assert.equal((await read()).length, 2003);
  });

  test('jsonHas finds a value or an item of a list at a path', async () => {
    const documents: Record<string, unknown> = {
      text: { fields: { mood: 'grim' } },
      list: { fields: { mood: ['calm', 'grim'] } },
      inner: { fields: { mood: { deep: 'grim' } } },
      nested: { fields: { mood: [['grim']] } },
      number: { fields: { age: 30, big: 1.5 } },
      truth: { fields: { alive: true, dead: false, unknown: null } },
      odd: { fields: { 'it\'s "a".key': 'grim' } },
    };
    for (const [id, value] of Object.entries(documents)) await add(tenant, id, JSON.stringify(value));
    const having = async (path: string[], value: string) => {
      const rows = await tenant.read((db: Kysely<Tables>) =>
        db
          .selectFrom('items')
          .select('id')
          .where(tenant.dialect.jsonHas('data', path, value))
          .orderBy('id')
          .execute(),
      );
      return rows.map(({ id }) => id);
    };
    assert.deepEqual(await having(['fields', 'mood'], 'grim'), ['list', 'text']);
    assert.deepEqual(await having(['fields', 'mood'], 'Grim'), []);
    assert.deepEqual(await having(['fields', 'age'], '30'), ['number']);
    assert.deepEqual(await having(['fields', 'big'], '1.5'), ['number']);
    assert.deepEqual(await having(['fields', 'alive'], 'true'), ['truth']);
    assert.deepEqual(await having(['fields', 'dead'], 'false'), ['truth']);
    assert.deepEqual(await having(['fields', 'unknown'], 'null'), []);
    assert.deepEqual(await having(['fields', 'it\'s "a".key'], 'grim'), ['odd']);
    assert.deepEqual(await having(['fields', 'none'], "' or 1=1 --"), []);
  });

  test('a prepared query runs with new values each time', async () => {
    for (const id of ['a', 'b']) await add(tenant, id);
    const find = prepared((db: Kysely<Tables>, { id }: { id: string }) =>
      db.selectFrom('items').select('id').where('id', '=', id),
    );
    for (const id of ['b', 'a', 'b']) {
      assert.deepEqual(await tenant.read((db: Kysely<Tables>) => find(db, { id })), [{ id }]);
    }
    assert.deepEqual(await tenant.read((db: Kysely<Tables>) => find(db, { id: 'c' })), []);
  });

  test('a wrong query keeps its own error and harms nobody', async () => {
    await assert.rejects(
      tenant.read((db) =>
        db
          .selectFrom('nowhere' as never)
          .selectAll()
          .execute(),
      ),
      /nowhere/,
    );
    await add(tenant, 'a');
    assert.deepEqual(await idsIn(tenant), ['a']);
  });

  test('answers a probe', () => database.probe());

  searchConformance(() => database);
}

const row = (
  row_id: number,
  name: string,
  fields = '',
  body = '',
  scopes = ['p', 'p_character'],
): SearchRow => ({
  row_id,
  name: searchableText(name),
  fields: searchableText(fields),
  body: searchableText(body),
  scopes,
});

/** Full text, over the shared tokens of `content/search-text.ts`. */
function searchConformance(database: () => Database): void {
  const put = (...rows: SearchRow[]) =>
    database().system.write((db) => database().dialect.fullText.put(db, rows));
  const find = (query: string, { scope = 'p', limit = 10, offset = 0 } = {}) =>
    database().system.read((db) =>
      database().dialect.fullText.find(db, { scope, phrases: parseSearchQuery(query), limit, offset }),
    );
  const idsOf = async (query: string, options = {}) => (await find(query, options)).rowIds;

  test('search ranks the name before fields before the body', async () => {
    await database().migrate([searchMigration]);
    await put(
      row(1, 'Other', 'x', 'a raven there'),
      row(2, 'Other', 'raven', 'x'),
      row(3, 'Raven', 'x', 'x'),
    );
    assert.deepEqual(await idsOf('raven'), [3, 2, 1]);
  });

  test('search folds case, accents and scripts, and takes operators literally', async () => {
    await database().migrate([searchMigration]);
    await put(
      row(1, 'Élodie O’Brien-Smith', 'AND NEAR "quoted"', 'straße'),
      row(2, '東京タワー', '', 'Ωμέγα'),
    );
    for (const query of [
      'elodie',
      'ELO',
      'élodie smith',
      "o'brien",
      'AND',
      'near',
      '"obrien smith" OR',
      'strasse',
      'brien-smith',
    ]) {
      const expected = query === '"obrien smith" OR' ? [] : [1];
      assert.deepEqual(await idsOf(query), expected, query);
    }
    for (const query of ['東京', '京タ', 'ωμεγα']) assert.deepEqual(await idsOf(query), [2], query);
    for (const query of ['*', '"', "'", '\\', ':', '(((', "a' | b:*", 'elodie & !x']) await find(query);
  });

  test('search finds words in sequence where they are quoted, and prefixes where not', async () => {
    await database().migrate([searchMigration]);
    await put(row(1, 'x', '', 'the black raven flies'), row(2, 'x', '', 'raven of black ravenwood'));
    assert.deepEqual((await idsOf('black raven')).toSorted(), [1, 2]);
    assert.deepEqual(await idsOf('"black raven"'), [1]);
    assert.deepEqual(await idsOf('ravenw'), [2]);
    assert.deepEqual(await idsOf('"ravenw"'), []);
  });

  test('search pages, counts, and stays in its scope', async () => {
    await database().migrate([searchMigration]);
    await put(...Array.from({ length: 25 }, (_, index) => row(index + 1, `raven ${index}`)));
    await put(row(100, 'raven', '', '', ['q']));
    const page = await find('raven', { limit: 10, offset: 20 });
    assert.deepEqual([page.rowIds.length, page.total], [5, 25]);
    assert.deepEqual(await find('raven', { offset: 50 }), { rowIds: [], total: 25 });
    assert.equal((await find('raven', { scope: 'p_character' })).total, 25);
    assert.deepEqual(await find('raven', { scope: 'q' }), { rowIds: [100], total: 1 });
    assert.deepEqual(await find('raven', { scope: 'p_item' }), { rowIds: [], total: 0 });
  });

  test('search forgets what was removed or replaced', async () => {
    await database().migrate([searchMigration]);
    const { fullText } = database().dialect;
    await put(row(1, 'raven'), row(2, 'raven'));
    await database().system.write(async (db) => {
      await fullText.remove(db, [1, 2]);
      await fullText.put(db, [row(2, 'crow')]);
    });
    assert.deepEqual(await idsOf('raven'), []);
    assert.deepEqual(await idsOf('crow'), [2]);
    await database().system.write((db) => fullText.remove(db, []));
  });

  test('search takes very long texts and words', async () => {
    await database().migrate([searchMigration]);
    const words = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ');
    await put(row(1, 'raven', 'x'.repeat(5000), words));
    assert.deepEqual(await idsOf('w100'), [1]);
    assert.deepEqual(await idsOf('raven'), [1]);
  });

  test('matching is a subquery of the found rows', async () => {
    await database().migrate([
      searchMigration,
      {
        name: 'rows',
        up: (db, { bigint }) => db.schema.createTable('rows').addColumn('row_id', bigint).execute(),
      },
    ]);
    await put(row(1, 'raven'), row(2, 'crow'));
    interface Rows {
      rows: { row_id: number };
    }
    await database().system.write((db: Kysely<Rows>) =>
      db
        .insertInto('rows')
        .values([{ row_id: 1 }, { row_id: 2 }])
        .execute(),
    );
    const found = await database().system.read((db: Kysely<Rows>) =>
      db
        .selectFrom('rows')
        .select('row_id')
        .where('row_id', 'in', database().dialect.fullText.matching('p', parseSearchQuery('rav')))
        .execute(),
    );
    assert.deepEqual(found, [{ row_id: 1 }]);
  });
}
