import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Database, TenantDatabase } from '../src/platform/database/database.ts';
import { accountsMigrations } from '../src/surfaces/accounts-modules.ts';
import { coreMigrations } from '../src/surfaces/core-modules.ts';
import { recordMigrations } from '../src/world/records/records.tables.ts';
import { rowIdOf } from '../src/world/records/scope.ts';
import {
  type OpenDatabase,
  type OpenedDatabase,
  openOwnedPostgres,
  openTestPostgres,
} from './support/databases.ts';

/** Their rows belong to no tenant, or are reached only by the installation's own handle. */
const INSTALLATION = [
  'canonry_migrations',
  'signing_keys',
  'access_changes',
  'access_sequence',
  // Of the installation's programme for testers; what tenants redeemed and wrote is walled in.
  'beta_codes',
  'beta_turn',
  'beta_waitlist',
  'beta_waitlist_requests',
  'billing_catalog',
  'letters',
  'plugin_catalogs',
  // They belong to a user.
  'user_preferences',
  'auth_sessions',
  'password_resets',
  'api_keys',
  'oauth_identities',
  'oauth_connections',
  'oauth_ended_connections',
];

const migrations = [
  ...coreMigrations,
  ...accountsMigrations.filter(({ name }) => !coreMigrations.some((known) => known.name === name)),
];

interface Row {
  [column: string]: unknown;
}

const query = async (handle: TenantDatabase, text: string, ...parameters: unknown[]): Promise<Row[]> =>
  (await handle.read((db) => db.executeQuery<Row>(CompiledQuery.raw(text, parameters) as CompiledQuery<Row>)))
    .rows;

/** The number of rows that the statement changed. */
const change = async (handle: TenantDatabase, text: string, ...parameters: unknown[]): Promise<number> => {
  const run = (db: Kysely<unknown>) => db.executeQuery(CompiledQuery.raw(text, parameters));
  return Number((await handle.write(run)).numAffectedRows);
};

interface Column {
  name: string;
  type: string;
}

interface Walled {
  name: string;
  columns: Column[];
}

/** From the catalogue; projects come first, since others refer to them. */
async function walledTables({ system }: Database): Promise<Walled[]> {
  const rows = await query(
    system,
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and (c.relkind = 'r' and c.relrowsecurity or c.relkind = 'v')
     order by c.relname <> 'projects', c.relname, a.attnum`,
  );
  const tables = Map.groupBy(rows, ({ table }) => String(table));
  return [...tables].map(([name, columns]) => ({ name, columns: columns as unknown as Column[] }));
}

const NUMBERS: Record<string, number> = { one: 1, two: 2, three: 3 };

/** Shows whose row it is, whatever the column. */
function valueFor({ name, type }: Column, tenantId: string): unknown {
  const number = NUMBERS[tenantId] ?? 0;
  if (name === 'tenant_id') return tenantId;
  if (name === 'row_id') return rowIdOf(number, 1);
  if (type === 'text[]') return [tenantId];
  if (type === 'bytea') return Buffer.from(tenantId);
  return type === 'text' || type === 'tsvector' ? tenantId : number;
}

function insert(handle: TenantDatabase, { name, columns }: Walled, tenantId: string): Promise<number> {
  const names = columns.map((column) => column.name).join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const values = columns.map((column) => valueFor(column, tenantId));
  return change(handle, `insert into ${name} (${names}) values (${places})`, ...values);
}

const keyOf = ({ columns }: Walled): string =>
  columns.some(({ name }) => name === 'tenant_id') ? 'tenant_id' : 'row_id';

/** As seen by a kind of user of the server. */
function wall(open: OpenDatabase): void {
  let opened: OpenedDatabase;
  let database: Database;
  let tables: Walled[];
  before(async () => {
    opened = await open();
    ({ database } = opened);
    await database.migrate(migrations);
    tables = await walledTables(database);
  });
  after(() => opened.close());

  test('every table has a policy or is known as the installation’s', async () => {
    const rows = await query(
      database.system,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not (relrowsecurity and relforcerowsecurity)`,
    );
    const views = tables.map(({ name }) => `${name}_rows`);
    const open = rows.map(({ name }) => String(name)).filter((name) => !views.includes(name));
    assert.deepEqual(
      open.toSorted(),
      INSTALLATION.toSorted(),
      'A table with a tenant’s data needs the column tenant_id (or row_id, of its project’s range): then it is walled in by itself. ' +
        'One that is not any tenant’s is named in INSTALLATION here, and can be reached by database.system alone',
    );
  });

  test('through its handle a tenant sees and changes its own rows only, whatever the query asks', async () => {
    assert.ok(tables.length > 10);
    for (const table of tables) {
      const { name } = table;
      const key = keyOf(table);
      for (const tenantId of ['one', 'two']) await insert(database.system, table, tenantId);
      // Handles are made once the tenants' projects exist.
      const [one, two] = [database.tenant('one'), database.tenant('two')];
      const whole = () => query(database.system, `select * from ${name} order by ${key}`);
      const both = await whole();
      const [ofTwo, ofThree] = ['two', 'three'].map((each) => valueFor({ name: key, type: '' }, each));
      const rowOfTwo = both.filter((row) => row[key] === ofTwo);
      assert.deepEqual([both.length, rowOfTwo.length], [2, 1], name);

      assert.deepEqual(await query(two, `select * from ${name}`), rowOfTwo, name);
      assert.deepEqual(await query(one, `select * from ${name} where ${key} = $1`, ofTwo), [], name);
      assert.deepEqual(await query(one, `select count(*) as total from ${name}`), [{ total: 1 }], name);
      assert.equal(await change(one, `update ${name} set ${key} = ${key} where ${key} = $1`, ofTwo), 0, name);
      assert.equal(await change(one, `update ${name} set ${key} = ${key}`), 1, name);
      await assert.rejects(insert(one, table, 'three'), /policy|check option/, name);
      const give = change(one, `update ${name} set ${key} = $1`, ofThree);
      await assert.rejects(give, /policy|check option/, name);
      assert.deepEqual(await whole(), both, name);
      if (name === 'projects') continue;
      assert.equal(await change(one, `delete from ${name}`), 1, name);
      assert.deepEqual(await whole(), rowOfTwo, name);
    }
  });

  test('connections change hands between tenants and the installation, and nobody sees another’s', async () => {
    const handles = [database.tenant('one'), database.system, database.tenant('two')];
    const expected = [['one'], ['one', 'two'], ['two']];
    const asked = Array.from({ length: 60 }, (_, index) => index % 3);
    await Promise.all(
      asked.map(async (index) => {
        const handle = handles[index] as TenantDatabase;
        const read = () => query(handle, 'select tenant_id from projects order by 1');
        const written = handle.write(async (db) => {
          const found = await db.executeQuery<Row>(
            CompiledQuery.raw('select tenant_id from projects order by 1') as CompiledQuery<Row>,
          );
          return found.rows;
        });
        for (const rows of [await read(), await written, await read()])
          assert.deepEqual(
            rows.map((row) => row.tenant_id),
            expected[index],
          );
      }),
    );
  });

  test('a tenant’s newest handle knows the project that was just made', async () => {
    const insertDocument = (handle: TenantDatabase) =>
      change(handle, 'insert into entity_documents values ($1, $2, $2)', rowIdOf(7, 1), '');
    const before = database.tenant('one');
    await assert.rejects(insertDocument(before), /policy/);
    await change(
      database.system,
      `insert into projects select tenant_id, 'new', 7, seq, manifest_version, brake, created_at from projects
       where tenant_id = 'one'`,
    );
    assert.equal(await insertDocument(database.tenant('one')), 1);
    assert.equal(await change(before, 'delete from entity_documents'), 1);
  });

  test('policies leave every index in use', async () => {
    const plan = (text: string) =>
      database.tenant('one').write(async (db) => {
        await db.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'));
        const found = await db.executeQuery(CompiledQuery.raw(`explain ${text}`));
        return found.rows.map((row) => Object.values(row as Row)[0]).join('\n');
      });
    const entities = `from entities where tenant_id = 'one' and project_id = 'p' and entity_type = 't'`;
    assert.match(await plan(`select * ${entities} and entity_id = 'x'`), /Index Scan using entities_by_/);
    assert.match(
      await plan(
        `select row_id ${entities} and updated_at < 'x' order by updated_at desc, row_id desc limit 5`,
      ),
      /Index Only Scan Backward using entities_by_update/,
    );
    assert.match(
      await plan('select json from entity_documents where row_id in (1, 2)'),
      /entity_documents_pkey/,
    );
    assert.match(
      await plan(`select row_id from entity_references where bucket in (1, 2) and to_id = 'x'`),
      /entity_references_by_target/,
    );
    assert.match(
      await plan(`select row_id from entity_search where vector @@ 'x'::tsquery and scopes @> array['p1']`),
      /entity_search_vector/,
    );
  });
}

const off = process.env.CANONRY_TEST_POSTGRES === 'off';
describe('the wall between tenants on PostgreSQL', { skip: off ? 'no PostgreSQL server' : false }, () => {
  describe('for a superuser', () => {
    wall(openTestPostgres);

    test('the installation’s tables are out of a tenant’s reach', async (t) => {
      const { database, close } = await openTestPostgres();
      t.after(close);
      await database.migrate(migrations);
      for (const name of [...INSTALLATION, 'entity_search_rows'])
        await assert.rejects(
          query(database.tenant('one'), `select * from ${name}`),
          /permission denied/,
          name,
        );
    });
  });

  describe('for the owner of the database', () => wall(openOwnedPostgres));

  test('a database from before the wall gets it, and keeps what it holds', async (t) => {
    const { database, close } = await openTestPostgres();
    t.after(close);
    const { fullText } = database.dialect;
    await database.migrate(recordMigrations.filter(({ rowOwner }) => rowOwner === undefined));
    const add = (db: Kysely<unknown>, number: number) =>
      fullText.put(db, [
        { row_id: rowIdOf(number, 1), name: 'raven', fields: '', body: '', scopes: ['p'], isNew: true },
      ]);
    for (const [number, tenantId] of [
      [1, 'one'],
      [2, 'two'],
    ] as const) {
      await change(
        database.system,
        `insert into projects values ($1, 'p', $2, 0, 1, null, '')`,
        tenantId,
        number,
      );
      await database.system.write((db) => add(db, number));
    }
    await database.migrate(recordMigrations);
    await database.migrate(recordMigrations);
    const one = database.tenant('one');
    const search = { scope: 'p', phrases: [{ tokens: ['raven'], prefix: false }], limit: 10, offset: 0 };
    const found = await one.read((db) => fullText.find(db, search));
    assert.deepEqual(found, { rowIds: [rowIdOf(1, 1)], total: 1 });
    await one.write((db) => add(db, 1));
    await assert.rejects(
      one.write((db) => add(db, 2)),
      /not visible/,
    );
  });
});
