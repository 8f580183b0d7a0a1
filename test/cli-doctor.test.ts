import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { writeCommandSettings } from '../src/cli/cloud/plan.ts';
import type { CreditDb } from '../src/people/credits/credits.tables.ts';
import { coreMigrations } from '../src/surfaces/core-modules.ts';
import { properId } from '../src/world/doctor/rename-entity.ts';
import { type CliWorld, cliWorld, variablesIn } from './support/cli.ts';
import { openTestPostgres } from './support/databases.ts';

interface Finding {
  check: string;
  path: string | null;
  message: string;
  fixable: boolean;
}

interface Examination {
  findings: Finding[];
  fixed: Finding[];
}

interface Patient extends CliWorld {
  sql(...statements: string[]): void;
  rows<Row = Record<string, unknown>>(query: string): Row[];
  examine(...args: string[]): Promise<Examination & { code: number }>;
}

/** The sample world, in sync. */
async function patient(t: TestContext): Promise<Patient> {
  const world = cliWorld(t);
  assert.equal((await world.run('init', '--sample')).code, 0);
  assert.equal((await world.run('sync')).code, 0);
  const open = <Result>(work: (database: Sqlite.Database) => Result): Result => {
    const database = new Sqlite(join(world.dataDir, 'canonry.db'));
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    ...world,
    sql: (...statements) =>
      open((database) => {
        for (const statement of statements) database.exec(statement);
      }),
    rows: <Row>(query: string) => open((database) => database.prepare(query).all() as Row[]),
    async examine(...args) {
      const result = await world.run('doctor', '--json', ...args);
      assert.equal(result.err, '');
      return { code: result.code, ...result.json<Examination>() };
    },
  };
}

/** The finding, what `--fix` leaves of it, and a clean report afterwards. */
async function heals(world: Patient, check: string, path?: string): Promise<void> {
  const found = await world.examine();
  assert.equal(found.code, 1);
  const meant = found.findings.filter((finding) => finding.check === check);
  assert.ok(meant.length > 0, JSON.stringify(found.findings));
  if (path !== undefined)
    assert.ok(
      meant.some((finding) => finding.path === path),
      JSON.stringify(meant),
    );
  assert.ok(
    found.findings.every((finding) => finding.fixable),
    JSON.stringify(found.findings),
  );
  const fixed = await world.examine('--fix');
  assert.deepEqual(fixed.findings, []);
  assert.deepEqual(fixed.fixed, found.findings);
  assert.equal(fixed.code, 0);
}

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';

test('all is well after a sync, and looking changes nothing', async (t) => {
  const world = await patient(t);
  const before = statSync(join(world.dataDir, 'canonry.db')).mtimeMs;
  assert.deepEqual(await world.examine(), { code: 0, findings: [], fixed: [] });
  assert.equal(statSync(join(world.dataDir, 'canonry.db')).mtimeMs, before);
  assert.match((await world.run('doctor')).out, /all is well/);
});

test('a missing database is made by --fix', async (t) => {
  const world = await patient(t);
  for (const name of readdirSync(world.dataDir)) {
    if (name.startsWith('canonry.db')) rmSync(join(world.dataDir, name));
  }
  await heals(world, 'database');
});

test('a file that the database does not know, a changed one and one that is gone', async (t) => {
  const world = await patient(t);
  mkdirSync(join(world.contentDir, 'Characters/zoe'));
  const added = 'Characters/zoe/CH_zoe.md';
  writeFileSync(join(world.contentDir, added), '---\nid: zoe\nname: Zoe\n---\n');
  await heals(world, 'file_row', added);
  appendFileSync(join(world.contentDir, MIRA), 'More.\n');
  await heals(world, 'entity_row', MIRA);
  rmSync(join(world.contentDir, 'Characters/zoe'), { recursive: true });
  await heals(world, 'entity_row', added);
  assert.equal(world.rows("select * from recycle_items where entity_id = 'zoe'").length, 1);
});

test('a file that was changed without a trace in size and times', async (t) => {
  const world = await patient(t);
  const path = join(world.contentDir, MIRA);
  const { atime, mtime } = statSync(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('Mira', 'Myra'));
  utimesSync(path, atime, mtime);
  const { ctimeMs, mtimeMs } = statSync(path);
  world.sql(`update files set ctime_ms = ${ctimeMs}, mtime_ms = ${mtimeMs} where path = '${MIRA}'`);
  assert.equal((await world.run('sync', '--json')).json<{ updated: number }>().updated, 0);
  await heals(world, 'file_row', MIRA);
  assert.match(
    world.rows<{ name: string }>(`select name from entities where path = '${MIRA}'`)[0]?.name ?? '',
    /Myra/,
  );
});

test('rows of files that are wrong', async (t) => {
  const world = await patient(t);
  const [one, two, three, four] = world.rows<{ path: string }>(
    "select path from files where path like '%.md' and path not like '\\_%' escape '\\'",
  );
  world.sql(
    `update files set size = size + 1 where path = '${one?.path}'`,
    `update files set sha256 = 'x' where path = '${two?.path}'`,
    `update files set entry_type = 'other' where path = '${three?.path}'`,
    `delete from files where path = '${four?.path}'`,
  );
  const { findings } = await world.examine();
  const paths = findings.map((finding) => finding.path).sort();
  assert.deepEqual(paths, [one?.path, two?.path, three?.path, four?.path].sort());
  await heals(world, 'file_row');
});

test('rows of entities that are wrong', async (t) => {
  const world = await patient(t);
  const rows = world.rows<{ row_id: number; path: string }>(
    "select row_id, path from entities where entity_type <> 'Template' and row_id in (select row_id from entity_references) order by row_id limit 7",
  );
  const ids = rows.map((row) => row.row_id);
  world.sql(
    `update entities set name = 'x' where row_id = ${ids[0]}`,
    `update entities set checksum = 'x' where row_id = ${ids[1]}`,
    `update entities set file_checksum = 'x' where row_id = ${ids[2]}`,
    `update entity_documents set json = replace(json, 'version', 'wersion') where row_id = ${ids[3]}`,
    `update entity_documents set head = head || ' ' where row_id = ${ids[4]}`,
    `delete from entity_documents where row_id = ${ids[5]}`,
    `update entity_references set to_id = 'x' where row_id = ${ids[6]}`,
  );
  const { findings } = await world.examine();
  assert.deepEqual(findings.map((finding) => finding.path).sort(), rows.map((row) => row.path).sort());
  await heals(world, 'entity_row');
});

const OF_MIRA = "(select row_id from entities where entity_id = 'mira_vale')";

test('an entity without a row, with all that belongs to it', async (t) => {
  const world = await patient(t);
  world.sql("delete from entities where entity_id = 'mira_vale'");
  const { findings } = await world.examine();
  const checks = new Set(findings.map((finding) => finding.check));
  assert.deepEqual([...checks].sort(), ['counts', 'document', 'entity_row', 'search']);
  await heals(world, 'entity_row', MIRA);
});

test('a row without a file that no file row tells of', async (t) => {
  const world = await patient(t);
  rmSync(join(world.contentDir, 'Characters/mira_vale'), { recursive: true });
  world.sql("delete from files where path like 'Characters/mira_vale/%'");
  await heals(world, 'entity_row', MIRA);
  const [item] = world.rows<{ content: string }>('select content from recycle_items');
  assert.match(item?.content ?? '', /Mira/);
});

test('search entries that are missing or too many', async (t) => {
  const world = await patient(t);
  const insert =
    "insert into entity_search (rowid, name, fields, body) values (4294967295 + 900000, 'a', 'b', 'c')";
  world.sql(`delete from entity_search where rowid = ${OF_MIRA}`, insert);
  await heals(world, 'search', MIRA);
});

test('counts that are wrong, and documents of nobody', async (t) => {
  const world = await patient(t);
  world.sql(
    "update entity_counts set total = total + 3 where entity_type = 'character'",
    "insert into entity_counts values ('local', 'default', 'dragon', 'active', 2)",
    "insert into entity_documents values (4294967295 + 900000, '{}', '')",
  );
  await heals(world, 'counts');
});

test('templates whose rows are not theirs', async (t) => {
  const world = await patient(t);
  world.sql("update entities set file_checksum = 'x' where entity_type = 'Template' and entity_id = 'item'");
  await heals(world, 'templates');
});

test('entities whose template is gone are named once, and all is well when it is back', async (t) => {
  const world = await patient(t);
  const template = join(world.contentDir, '_Templates/Standard/JOB_TEMPLATE.md');
  const text = readFileSync(template);
  rmSync(template);
  assert.equal((await world.run('sync')).code, 0);
  const { code, findings } = await world.examine('--fix');
  assert.equal(code, 1);
  assert.deepEqual(
    findings.map(({ check, message, fixable }) => [check, message, fixable]),
    [
      ['templates', 'field "job" refers to "job", which is not a type', false],
      ['templates', 'there is no type "job": its rules wait for a template', false],
      [
        'templates',
        "no template can be read for the type 'job'; its entities (2) are kept as they are",
        false,
      ],
    ],
  );
  writeFileSync(template, text);
  assert.equal((await world.run('sync')).code, 0);
  assert.deepEqual((await world.examine()).findings, []);
});

test('folders with names that cannot be ids are renamed; history and assets follow', async (t) => {
  const world = await patient(t);
  const folder = join(world.contentDir, 'Characters/Jörg O’Brien');
  mkdirSync(join(folder, 'images'), { recursive: true });
  const text = '---\nname: Jörg  # the smith\n---\n\nA smith.\n';
  writeFileSync(join(folder, 'CH_Jörg O’Brien.md'), text);
  writeFileSync(join(folder, 'images/face.png'), 'png');
  const forge = join(world.contentDir, 'Locations/forge');
  mkdirSync(forge, { recursive: true });
  writeFileSync(join(forge, 'LOC_forge.md'), '---\nid: forge\n---\n\nOf [[character:Jörg O’Brien]].\n');
  await world.run('sync');
  await heals(world, 'entity_id', 'Characters/Jörg O’Brien/CH_Jörg O’Brien.md');
  const renamed = join(world.contentDir, 'Characters/jorg_o_brien');
  assert.equal(readFileSync(join(renamed, 'CH_jorg_o_brien.md'), 'utf8'), text);
  assert.equal(existsSync(join(renamed, 'images/face.png')), true);
  assert.equal(existsSync(folder), false);
  assert.match(readFileSync(join(forge, 'LOC_forge.md'), 'utf8'), /\[\[character:jorg_o_brien\]\]/);
  const [row] = world.rows("select version, entity_id from entities where name like 'Jörg%'");
  assert.deepEqual(row, { version: 2, entity_id: 'jorg_o_brien' });
  assert.equal(world.rows('select * from recycle_items').length, 0);
});

test('ids are made proper, and never empty', () => {
  assert.equal(properId('Ångström'), 'angstrom');
  assert.equal(properId('  A -- b  '), 'a_b');
  assert.equal(properId('龍'), 'unnamed');
  assert.equal(properId('x'.repeat(300)).length, 100);
});

test('what lies in the recycle bin without an item, and items without a folder', async (t) => {
  const world = await patient(t);
  const bin = join(world.contentDir, '_RecycleBin/Characters');
  mkdirSync(bin, { recursive: true });
  renameSync(join(world.contentDir, 'Characters/mira_vale'), join(bin, 'mira_vale~x'));
  await world.run('sync');
  world.sql('delete from recycle_items');
  await heals(world, 'recycle_bin', '_RecycleBin/Characters/mira_vale~x');
  rmSync(bin, { recursive: true });
  await heals(world, 'recycle_bin', '_RecycleBin/Characters/mira_vale~x');
});

test('what a person has to mend is told with its place and stays', async (t) => {
  const world = await patient(t);
  writeFileSync(join(world.contentDir, MIRA), '---\nname: [open\n---\n');
  const copy = join(world.contentDir, 'Characters/copy');
  mkdirSync(copy);
  writeFileSync(join(copy, 'CH_copy.md'), '---\nid: oda_pell\nname: Copy\n---\n');
  world.sql("update entities set version = 5 where entity_id = 'oda_pell'");
  const { code, findings } = await world.examine('--fix');
  assert.equal(code, 1);
  assert.deepEqual(findings.map((finding) => [finding.check, finding.path, finding.fixable]).sort(), [
    ['refused_file', 'Characters/copy/CH_copy.md', false],
    ['revisions', 'Characters/oda_pell/CH_oda_pell.md', false],
    ['unreadable_file', MIRA, false],
  ]);
  assert.equal(readFileSync(join(world.contentDir, MIRA), 'utf8'), '---\nname: [open\n---\n');
  assert.match((await world.run('doctor')).out, new RegExp(`^error +${MIRA}:\\d+:\\d+: `, 'm'));
});

test('open secrets and leftovers of a crash', async (t) => {
  const world = await patient(t);
  const secret = join(world.dataDir, 'secrets/jwt-secret');
  mkdirSync(join(world.dataDir, 'secrets'), { recursive: true });
  writeFileSync(secret, 'x'.repeat(40));
  chmodSync(secret, 0o644);
  const leftover = join(world.contentDir, 'Characters/.canonry-abc.tmp');
  writeFileSync(leftover, 'half');
  utimesSync(leftover, 0, 0);
  await heals(world, 'secrets', secret);
  assert.equal(statSync(secret).mode & 0o777, 0o600);
  assert.equal(existsSync(leftover), false);
});

test('a damaged database file is told and not touched', async (t) => {
  const world = await patient(t);
  world.sql('pragma wal_checkpoint(truncate)');
  const path = join(world.dataDir, 'canonry.db');
  const bytes = readFileSync(path);
  for (const from of [bytes.length - 40_000, 0]) {
    bytes.fill(0x5a, from);
    writeFileSync(path, bytes);
    const { code, findings } = await world.examine('--fix');
    assert.equal(code, 1);
    assert.ok(findings.every(({ check, fixable }) => check === 'database' && !fixable));
    assert.deepEqual(readFileSync(path), bytes);
  }
});

test('tables of an earlier version', async (t) => {
  const world = await patient(t);
  world.sql(
    "delete from canonry_migrations where name = 'records-3-recycled-lives'",
    'drop index recycle_items_by_row',
  );
  await heals(world, 'migrations');
});

const offPostgres = process.env.CANONRY_TEST_POSTGRES === 'off' && 'no PostgreSQL server';

test('with the settings of a cloud no project is expected, and everything else is examined', {
  skip: offPostgres,
}, async (t) => {
  const world = cliWorld(t);
  const opened = await openTestPostgres({ forCore: true });
  t.after(opened.close);
  await opened.database.migrate(coreMigrations);
  mkdirSync(join(world.dataDir, 'secrets'), { recursive: true });
  const settingsFile = writeCommandSettings({
    dataDir: world.dataDir,
    contentDir: world.contentDir,
    databaseUrl: opened.url,
    accountsDatabaseUrl: opened.url,
    redisUrl: 'redis://127.0.0.1:6379',
    serviceToken: 'x'.repeat(48),
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    registration: 'open',
    bindAddress: '127.0.0.1:8000',
    edge: 'http://127.0.0.1:8000',
    publicUrl: null,
    accounts: 'http://127.0.0.1:8001',
    cores: ['http://127.0.0.1:8002'],
    worker: 'http://127.0.0.1:8003',
  });
  const examine = (...args: string[]) => world.runWith({ env: variablesIn(settingsFile) }, 'doctor', ...args);
  const fine = await examine();
  assert.equal(fine.code, 0, fine.out + fine.err);
  assert.match(fine.out, /DEPLOYMENT=cloud: .*none is expected on this machine\nall is well\n/);

  const secret = join(world.dataDir, 'secrets/service-token');
  writeFileSync(secret, 'x');
  chmodSync(secret, 0o644);
  const account = { period_start_ms: 0, period_end_ms: 1, anchor_ms: 0, granted: 0, spent: 0, last_seq: 0 };
  await opened.database.system.write(async (db: CreditDb) => {
    await db
      .insertInto('credit_accounts')
      .values({ ...account, tenant_id: 'studio', reserved: 7, time_zone: 'UTC', quota: null })
      .execute();
  });
  const found = await examine('--json');
  const { findings } = found.json<Examination>();
  assert.equal(found.code, 1);
  assert.deepEqual(
    findings.map(({ check }) => check),
    ['credits', 'secrets'],
  );
  const fixed = await examine('--fix', '--json');
  assert.deepEqual(
    [fixed.json<Examination>().findings, fixed.json<Examination>().fixed].map((all) =>
      all.map(({ check }) => check),
    ),
    [['credits'], ['secrets']],
    fixed.err,
  );
  assert.equal((await examine('--project', 'novel')).code, 2);
});
