import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { parseSearchQuery, searchableText } from '../../content/search-text.ts';
import type { Database } from './database.ts';
import type { SearchRow } from './dialect.ts';
import type { Migration } from './migration.ts';

export const searchMigration: Migration = {
  name: 'search-1',
  async up(db, { fullText }) {
    await fullText.createIndex(db);
    await fullText.createBuffer(db);
  },
};

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
  isNew: true,
});

/** Tests for full text over the shared tokens of `content/search-text.ts`. */
export function fullTextConformance(database: () => Database): void {
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

  test('search can look at names alone', async () => {
    await database().migrate([searchMigration]);
    await put(row(1, 'Mira Vale', 'x', 'x'), row(2, 'Vale', 'mira', 'mira'), row(3, 'Old Mira', 'x', 'x'));
    const named = async (query: string) =>
      database().system.read((db) =>
        database().dialect.fullText.find(db, {
          scope: 'p',
          phrases: parseSearchQuery(query),
          inName: true,
          limit: 10,
          offset: 0,
        }),
      );
    assert.deepEqual((await named('mir')).rowIds.sort(), [1, 3]);
    assert.deepEqual(await named('"mira vale"'), { rowIds: [1], total: 1 });
    assert.deepEqual(await named('vale mira'), { rowIds: [1], total: 1 });
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
    await put({ ...row(2, 'owl', '', '', ['q']), isNew: false });
    assert.deepEqual(
      [await idsOf('crow'), await idsOf('owl'), await idsOf('owl', { scope: 'q' })],
      [[], [], [2]],
    );
    await database().system.write((db) => fullText.remove(db, []));
  });

  test('search knows rows that are replaced in hundreds by their new texts alone', async () => {
    await database().migrate([searchMigration]);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    await put(...hundred.map((id) => row(id, 'raven')));
    await put(...hundred.map((id) => ({ ...row(id, 'crow'), isNew: false })));
    assert.deepEqual(await find('raven'), { rowIds: [], total: 0 });
    assert.equal((await find('crow')).total, 100);
  });

  test('search knows at once what came row by row and what came in hundreds', async () => {
    await database().migrate([searchMigration]);
    const { fullText } = database().dialect;
    const idsListed = () => database().system.read((db) => fullText.list(db, 0, 1000));
    for (const id of [1, 2, 3]) await put(row(id, 'raven'));
    assert.deepEqual(await idsListed(), [1, 2, 3]);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    await database().system.write(async (db) => {
      await fullText.remove(db, [1, 2, 3]);
      await fullText.put(
        db,
        hundred.map((id) => row(id, 'crow')),
      );
    });
    assert.deepEqual(await idsListed(), hundred);
    assert.deepEqual(await find('raven'), { rowIds: [], total: 0 });
    assert.equal((await find('crow')).total, 100);
    await database().system.write((db) => fullText.remove(db, [5]));
    assert.equal((await idsListed()).includes(5), false);
    assert.equal((await find('crow')).total, 99);
    await Promise.all(hundred.map((id) => put(row(1000 + id, 'owl'))));
    assert.equal((await find('owl')).total, 100);
    await database().system.write((db) => fullText.remove(db, hundred));
    assert.equal((await find('crow')).total, 0);
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
    await database().dialect.fullText.caughtUp();
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
