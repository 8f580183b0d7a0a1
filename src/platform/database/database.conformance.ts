import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Kysely } from 'kysely';
import type { OpenDatabase, OpenedDatabase } from '../../../test/support/databases.ts';
import type { Database, TenantDatabase } from './database.ts';
import { fullTextConformance, searchMigration } from './full-text.conformance.ts';
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
      .addColumn('tenant_id', dialect.text, (column) => column.notNull().defaultTo('local'))
      .addColumn('number', dialect.bigint)
      .addColumn('data', dialect.text, (column) => column.notNull())
      .execute();
  },
};

const add = (tenant: TenantDatabase, id: string, data = '{}') =>
  tenant.write((db: Kysely<Tables>) => db.insertInto('items').values({ id, number: null, data }).execute());

const idsIn = async (tenant: TenantDatabase): Promise<string[]> => {
  const rows = await tenant.read((db: Kysely<Tables>) =>
    db.selectFrom('items').select('id').orderBy('id').execute(),
  );
  return rows.map(({ id }) => id);
};

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

  test('rows are found by lists of any length, whatever their texts hold, and by numbers', async () => {
    const odd = ['quo"te', "apo'strophe", 'back\\slash', 'new\nline', 'größe 🜂', '[1]', ''];
    const ids = [...odd, ...Array.from({ length: 200 }, (_, index) => `item ${index}`)];
    await tenant.write((db: Kysely<Tables>) =>
      db
        .insertInto('items')
        .values(ids.map((id, number) => ({ id, number, data: '{}' })))
        .execute(),
    );
    const found = (column: 'id' | 'number', operator: 'in' | 'not in', values: (string | number)[]) =>
      tenant.read((db: Kysely<Tables>) =>
        db.selectFrom('items').select('number').where(column, operator, values).orderBy('number').execute(),
      );
    for (const length of [1, 31, 32, 100, 207]) {
      const some = ids.slice(0, length);
      const numbers = some.map((_, number) => ({ number }));
      assert.deepEqual(await found('id', 'in', [...some, 'nothing']), numbers);
      assert.deepEqual(await found('number', 'in', [...some.keys()]), numbers);
      assert.equal((await found('id', 'not in', some)).length, ids.length - length);
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

  test('work that needs a free key makes way for who holds it', async () => {
    const taken = async () => 'taken';
    const free = async () => 'free';
    assert.equal(await tenant.ifFree('one', free, taken), 'free');
    await tenant.exclusive('one', async () => {
      assert.equal(await tenant.ifFree('one', free, taken), 'taken');
      assert.equal(await tenant.ifFree('two', free, taken), 'free');
    });
    assert.equal(await tenant.ifFree('one', () => tenant.ifFree('one', free, taken), free), 'taken');
    assert.equal(await tenant.exclusive('one', () => tenant.isHeld('one')), true);
    assert.equal(await tenant.isHeld('one'), false);
    const fails = () => Promise.reject(new RangeError('mine'));
    await assert.rejects(tenant.ifFree('one', fails, free), RangeError);
    assert.equal(await tenant.ifFree('one', free, taken), 'free');
  });

  test('of many keys those that are free are taken; who waits for one gets it afterwards', async () => {
    const keys = ['one', 'two', 'three'];
    const order: string[] = [];
    const waiting = await tenant.exclusive('two', () =>
      tenant.withFree(keys, async (held) => {
        assert.deepEqual([...held].sort(), ['one', 'three']);
        assert.equal((await tenant.withFree(keys, async (none) => none)).size, 0);
        const last = tenant.exclusive('one', async () => void order.push('one'));
        order.push('many');
        return { last };
      }),
    );
    await waiting.last;
    assert.deepEqual(order, ['many', 'one']);
    const fails = () => Promise.reject(new RangeError('mine'));
    await assert.rejects(tenant.withFree(keys, fails), RangeError);
    assert.equal((await tenant.withFree(keys, async (held) => held)).size, 3);
  });

  test('any number of keys are held at once', async () => {
    const all = Promise.withResolvers<void>();
    let held = 0;
    const hold = async () => {
      held += 1;
      if (held === 60) all.resolve();
      await all.promise;
    };
    await Promise.all(Array.from({ length: 60 }, (_, key) => tenant.exclusive(`held ${key}`, hold)));
    assert.equal(held, 60);
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
      tenant.read((db: Kysely<Tables>) =>
        db.selectFrom('items').select(['id', 'number', 'data']).orderBy('id').execute(),
      );
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

  test('jsonAt gives the JSON at a path', async () => {
    const fields = { mood: ['calm', { deep: 1.5 }], 'it\'s "a".key': 'a "text"', none: null };
    await add(tenant, 'one', JSON.stringify({ fields }));
    const at = async (...path: string[]) => {
      const [row] = await tenant.read((db: Kysely<Tables>) =>
        db.selectFrom('items').select(tenant.dialect.jsonAt('data', path).as('json')).execute(),
      );
      return row?.json === null ? undefined : JSON.parse(row?.json ?? '');
    };
    assert.deepEqual(await at('fields'), fields);
    assert.deepEqual(await at('fields', 'mood'), fields.mood);
    assert.equal(await at('fields', 'it\'s "a".key'), 'a "text"');
    assert.equal(await at('fields', 'none'), null);
    assert.equal(await at('fields', 'lost'), undefined);
    assert.equal(await at('fields', 'mood', '0'), undefined);
    assert.equal(await at('fields', 'mood', 'deep'), undefined);
  });

  test('jsonHas finds a value or an item of a list at a path, jsonKnows whether anything is there', async () => {
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
    const knowing = async (path: string[]) => {
      const rows = await tenant.read((db: Kysely<Tables>) =>
        db
          .selectFrom('items')
          .select('id')
          .where(tenant.dialect.jsonKnows('data', path))
          .orderBy('id')
          .execute(),
      );
      return rows.map(({ id }) => id);
    };
    assert.deepEqual(await knowing(['fields', 'mood']), ['inner', 'list', 'nested', 'text']);
    assert.deepEqual(await knowing(['fields', 'mood', 'deep']), ['inner']);
    assert.deepEqual(await knowing(['fields', 'unknown']), ['truth'], 'null stands there');
    assert.deepEqual(await knowing(['fields', 'it\'s "a".key']), ['odd']);
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

  fullTextConformance(() => database);
}
