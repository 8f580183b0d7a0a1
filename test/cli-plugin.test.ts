import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { warningAbout } from '../src/cli/plugin/pack.ts';
import { readManifest } from '../src/content/plugins/index.ts';
import { sha256Hex } from '../src/kit/crypto.ts';
import { exampleEntity } from '../src/world/entities/entities.contract.ts';
import type { Entity } from '../starter/plugin/canonry/entity.ts';
import { type CliWorld, cliWorld, snapshot, writeCharacter } from './support/cli.ts';
import { fullPlugin, writeFiles } from './support/plugin-project.ts';

const KINDS = ['panel', 'widget', 'page', 'guest', 'full'];
const TSC = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const WIT = new URL('../src/platform/guests/wit/plugin.wit', import.meta.url);
/** A call may take longer than a service would wait on a machine that is busy. */
const PATIENT = ['--within', '60000'];

interface Problem {
  severity: string;
  path: string;
  line: number;
  column: number;
  message: string;
}

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

function write(folder: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(folder, path), change(read(folder, path)));
}

const setManifest = (folder: string, more: object): void =>
  write(folder, 'plugin.json', (text) => JSON.stringify({ ...JSON.parse(text), ...more }, null, 2));

async function newPanel(world: CliWorld): Promise<string> {
  assert.equal((await world.run('plugin', 'new', 'word-goals')).code, 0);
  return join(world.folder, 'word-goals');
}

describe('canonry plugin new', () => {
  for (const kind of KINDS) {
    test(`begins a plugin of the kind ${kind}, with which TypeScript is content`, async (t) => {
      const world = cliWorld(t);
      const { code, out } = await world.run('plugin', 'new', 'word-goals', '--kind', kind);
      assert.equal(code, 0);
      assert.match(out, /npm install, canonry plugin build/);
      const folder = join(world.folder, 'word-goals');
      const { manifest, problems } = readManifest(read(folder, 'plugin.json'), { asUpload: true });
      assert.deepEqual(problems, []);
      assert.equal(manifest?.id, 'word-goals');
      assert.equal(manifest?.name, 'Word goals');
      assert.equal(manifest?.type, kind);
      assert.doesNotMatch(
        Object.values(snapshot(folder))
          .map((hex) => Buffer.from(hex, 'hex'))
          .join(),
        /my.plugin/i,
      );
      execFileSync(process.execPath, [TSC, '-p', folder], { stdio: 'inherit' });
    });
  }

  test('gives the plugin its tools in the versions of this program, and keeps what is made out of git', async (t) => {
    const world = cliWorld(t);
    const own = JSON.parse(
      read(fileURLToPath(new URL('..', import.meta.url)), 'package.json'),
    ).devDependencies;
    const toolsOf = async (kind: string): Promise<Record<string, string>> => {
      await world.run('plugin', 'new', 'tools', kind, '--kind', kind);
      assert.match(read(world.folder, kind, '.gitignore'), /^dist\/$/m);
      return JSON.parse(read(world.folder, kind, 'package.json')).devDependencies;
    };
    const { esbuild, typescript } = own;
    assert.deepEqual(await toolsOf('panel'), { esbuild, typescript });
    assert.deepEqual(await toolsOf('full'), {
      'componentize-qjs': own['componentize-qjs'],
      esbuild,
      typescript,
    });
  });

  test('overwrites nothing, and refuses ids that no plugin may have', async (t) => {
    const world = cliWorld(t);
    writeFiles(world.folder, { 'taken/notes.txt': 'mine' });
    for (const [args, message] of [
      [['word-goals', 'taken'], /taken is not empty, and nothing in it was changed/],
      [['Word-Goals'], /the id "Word-Goals" is none: .*write "word-goals"/],
      [['upload'], /the id "upload" is taken/],
      [['constructor'], /reserved/],
      [['word-goals', 'taken/notes.txt'], /cannot be used/],
    ] as const) {
      const { code, err } = await world.run('plugin', 'new', ...args);
      assert.equal(code, 2);
      assert.match(err, message);
    }
    assert.deepEqual(Object.keys(snapshot(world.folder)), ['taken/notes.txt']);
  });

  test('says as JSON what it made', async (t) => {
    const world = cliWorld(t);
    const made = (await world.run('plugin', 'new', 'word-goals', 'at/goals', '--json')).json();
    const folder = join(world.folder, 'at/goals');
    assert.deepEqual({ ...made, files: [] }, { id: 'word-goals', kind: 'panel', folder, files: [] });
    assert.deepEqual([...(made.files as string[])].sort(), Object.keys(snapshot(folder)).sort());
  });
});

describe('canonry plugin build', () => {
  test('makes one of everything', async (t) => {
    const world = cliWorld(t);
    const folder = await fullPlugin(world);
    const { code, out } = await world.run('plugin', 'build', 'lamp-log');
    assert.equal(code, 0, out);
    assert.deepEqual(readdirSync(join(folder, 'dist')).sort(), [
      'guest.wasm',
      'page.html',
      'page.js',
      'panel.html',
      'panel.js',
      'plugin.css',
      'plugin.json',
      'widget.html',
      'widget.js',
    ]);
    assert.match(out, /^ {2}guest\.wasm +1\.\d+ MiB$/m);
    assert.equal(read(folder, 'dist/plugin.json'), read(folder, 'plugin.json'));
    assert.equal(read(folder, 'dist/guest.wasm').slice(0, 4), '\0asm');
  });

  test('names faults with their places, and leaves what was made before', async (t) => {
    const world = cliWorld(t);
    const folder = await newPanel(world);
    await world.run('plugin', 'build', 'word-goals');
    const before = snapshot(join(folder, 'dist'));
    write(folder, 'src/panel.ts', (text) => `const = 1;\n${text}`);
    const { code, out } = await world.run('plugin', 'build', 'word-goals');
    assert.equal(code, 1);
    assert.match(out, /^src\/panel\.ts:1:7: Expected identifier/);
    assert.deepEqual(snapshot(join(folder, 'dist')), before);
  });

  test('names every fault of the manifest', async (t) => {
    const world = cliWorld(t);
    const folder = await newPanel(world);
    setManifest(folder, { version: 'one', permissions: ['read_all'], trust_tier: undefined });
    const built = await world.run('plugin', 'build', 'word-goals', '--json');
    assert.equal(built.code, 1);
    const { problems, files } = built.json<{ problems: Problem[]; files: unknown[] }>();
    assert.deepEqual(files, []);
    assert.deepEqual(
      problems.map(({ severity, path, line }) => [severity, path, line]),
      [
        ['error', 'plugin.json', 1],
        ['error', 'plugin.json', 4],
        ['warning', 'plugin.json', 21],
      ],
    );
    const { out } = await world.run('plugin', 'build', 'word-goals');
    assert.match(out, /^plugin\.json:4:14: "one" is no semantic version/m);
    assert.match(out, /^plugin\.json:21:5: warning: there is no permission "read_all"/m);
  });

  test('misses files that the manifest names, and does not guess between two of one name', async (t) => {
    const world = cliWorld(t);
    const folder = await newPanel(world);
    rmSync(join(folder, 'public/panel.html'));
    const missing = await world.run('plugin', 'build', 'word-goals');
    assert.equal(missing.code, 1);
    assert.match(missing.out, /^plugin\.json:1:1: it names the file panel\.html, which is neither/);
    writeFiles(folder, { 'public/panel.html': '<p>Hello', 'public/panel.js': 'stale' });
    const twice = await world.run('plugin', 'build', 'word-goals');
    assert.equal(twice.code, 1);
    assert.match(twice.out, /^public\/panel\.js:1:1: a build makes a file of this name/);
  });

  test('takes a folder without sources as it is', async (t) => {
    const world = cliWorld(t);
    const folder = await newPanel(world);
    rmSync(join(folder, 'src'), { recursive: true });
    writeFiles(folder, {
      'panel.html': '<p>Hello',
      '.git/config': '',
      'node_modules/a/index.js': '',
      'dist/old.js': '',
      'old.zip': '',
    });
    const { code, out } = await world.run('plugin', 'build', 'word-goals', '--json');
    assert.equal(code, 0, out);
    const { files } = JSON.parse(out) as { files: { path: string }[] };
    const paths = files.map(({ path }) => path);
    assert.ok(paths.includes('panel.html') && paths.includes('plugin.json'));
    assert.deepEqual(
      paths.filter((path) => /git|node_modules|^dist|zip/.test(path) && path !== 'gitignore'),
      [],
    );
    assert.deepEqual(readdirSync(join(folder, 'dist')), ['old.js']);
  });

  test('needs a plugin', async (t) => {
    const world = cliWorld(t);
    for (const command of ['build', 'test', 'pack']) {
      const { code, err } = await world.run('plugin', command);
      assert.equal(code, 2);
      assert.match(err, /holds no plugin\.json: .*canonry plugin new/);
    }
  });
});

interface Tested {
  problems: Problem[];
  guest: {
    exports: string[];
    entities: { entity: string; findings: object[]; changes: object[] }[];
    times: { call: string; count: number; mean_ms: number }[];
    failures: { call: string; entity: string; code: string; message: string; is_break: boolean }[];
    gave_up: boolean;
    log: object[];
    would_do: string[];
  };
}

function writeWorld(world: CliWorld, ids: readonly string[]): void {
  for (const id of ids) writeCharacter(world.contentDir, id);
}

describe('canonry plugin test', () => {
  test('tells what the guest finds and would save, and saves nothing', async (t) => {
    const world = cliWorld(t);
    await fullPlugin(world);
    await world.run('init');
    writeWorld(world, ['mira']);
    const path = writeCharacter(world.contentDir, 'oda');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nTODO her house...\n`);
    const before = snapshot(world.contentDir);
    const { code, out } = await world.run('plugin', 'test', 'lamp-log', ...PATIENT);
    assert.equal(code, 0, out);
    assert.match(out, /^plugin\.json: no problems$/m);
    assert.match(out, /^character\/oda\n {2}warning: still to be written: TODO her house\.\.\.$/m);
    assert.match(out, /^ {2}would save markdown_body, line 3: "TODO her house\.\.\." → "TODO her house…"$/m);
    assert.match(out, /^ {2}info: enabled in default$/m);
    assert.match(out, /^on-entity-validate +2 calls +[\d.]+ ms each, [\d.]+ ms the slowest$/m);
    assert.match(
      out,
      /2 entities of .*content: 1 finding, 1 entity would be saved differently, 0 calls failed\n$/,
    );
    assert.deepEqual(snapshot(world.contentDir), before);
    assert.deepEqual(readdirSync(world.folder).sort(), ['content', 'lamp-log']);
  });

  test('answers with JSON, for entities of a type, or one of them', async (t) => {
    const world = cliWorld(t);
    await fullPlugin(world);
    await world.run('init', 'elsewhere', '--sample');
    const args = [
      'plugin',
      'test',
      'lamp-log',
      '--content',
      'elsewhere',
      '--type',
      'character',
      '--json',
      ...PATIENT,
    ];
    const { guest } = (await world.run(...args)).json<Tested>();
    assert.deepEqual([...guest.exports].sort(), ['hooks', 'metadata', 'routes']);
    assert.ok(guest.entities.length > 1);
    assert.ok(guest.entities.every(({ entity }) => entity.startsWith('character/')));
    const counts = new Map(guest.times.map(({ call, count }) => [call, count]));
    assert.equal(counts.get('on-entity-save'), guest.entities.length);
    assert.equal(counts.get('get-info'), 1);
    const one = (await world.run(...args, '--id', 'mira_vale')).json<Tested>();
    assert.deepEqual(one.guest.entities, [{ entity: 'character/mira_vale', findings: [], changes: [] }]);
    const none = await world.run(...args, '--id', 'nobody');
    assert.equal(none.code, 2);
    assert.match(String(none.json().error), /no such entity/);
  });

  test('ends with 1 when the guest fails, with the place in the sources', async (t) => {
    const world = cliWorld(t);
    const folder = await fullPlugin(world);
    await world.run('init');
    writeWorld(world, ['mira', 'thrower', 'no_json']);
    const { code, out } = await world.run('plugin', 'test', 'lamp-log', '--json', ...PATIENT);
    assert.equal(code, 1);
    const { guest } = JSON.parse(out) as Tested;
    assert.deepEqual(
      guest.failures.map(({ call, entity, code: why, is_break }) => [call, entity, why, is_break]),
      [
        ['on-entity-save', 'character/no_json', 'bad_result', false],
        ['on-entity-create', 'character/thrower', 'failed', false],
      ],
    );
    const lines = read(folder, 'src/own/guest.ts').split('\n');
    const line = lines.findIndex((text) => text.includes('throw new Error')) + 1;
    const place = `at onEntityCreate (src/own/guest.ts:${line}:`;
    assert.ok(guest.failures[1]?.message.startsWith('it cannot take this one\n'));
    assert.ok(guest.failures[1]?.message.includes(place), guest.failures[1]?.message);
    assert.equal(guest.entities.length, 3);
    assert.equal(guest.gave_up, false);
  });

  test('stops a guest that takes too long, and gives up once a service would', async (t) => {
    const world = cliWorld(t);
    await fullPlugin(world);
    await world.run('init');
    writeCharacter(world.contentDir, 'endless');
    const { code, out } = await world.run('plugin', 'test', 'lamp-log', '--id', 'endless', '--json');
    assert.equal(code, 1);
    const { guest } = JSON.parse(out) as Tested;
    const [first] = guest.failures.filter(({ call }) => call === 'on-entity-validate');
    assert.equal(first?.code, 'timeout');
    assert.equal(first?.is_break, true);
    const text = await world.run('plugin', 'test', 'lamp-log', '--id', 'endless');
    assert.match(
      text.out,
      /^failed on-entity-validate of character\/endless \(timeout\): It took longer than 250 ms$/m,
    );
  });

  test('of a plugin without a guest looks at the manifest alone', async (t) => {
    const world = cliWorld(t);
    const folder = await newPanel(world);
    assert.equal((await world.run('plugin', 'test', 'word-goals')).out, 'plugin.json: no problems\n');
    setManifest(folder, { name: 7 });
    const { code, out } = await world.run('plugin', 'test', 'word-goals');
    assert.equal(code, 1);
    assert.match(out, /^plugin\.json:3:11: .*name/m);
  });

  test('refuses a deadline that is none', async (t) => {
    const world = cliWorld(t);
    await fullPlugin(world);
    const { code, err } = await world.run('plugin', 'test', 'lamp-log', '--within', 'soon');
    assert.equal(code, 2);
    assert.match(err, /--within takes milliseconds/);
  });
});

describe('canonry plugin pack', () => {
  test('makes the same bytes of the same files', async (t) => {
    const world = cliWorld(t);
    const folder = await fullPlugin(world);
    const { out, code } = await world.run('plugin', 'pack', 'lamp-log');
    assert.equal(code, 0, out);
    const file = join(folder, 'lamp-log-0.1.0.zip');
    const sum = sha256Hex(readFileSync(file));
    assert.match(out, new RegExp(`^.*lamp-log-0\\.1\\.0\\.zip: 9 files, [\\d.]+ kB\nSHA-256 ${sum}\n$`));
    const again = (await world.run('plugin', 'pack', 'lamp-log', '--out', 'other.zip', '--json')).json();
    assert.equal(again.sha256, sum);
    assert.equal(again.size, readFileSync(join(world.folder, 'other.zip')).length);
    assert.deepEqual(readdirSync(world.folder).sort(), ['lamp-log', 'other.zip']);
  });

  test('packs nothing that has faults, or that an upload would refuse', async (t) => {
    const world = cliWorld(t);
    const folder = await newPanel(world);
    writeFiles(folder, { 'public/con.txt': 'a device' });
    const refused = await world.run('plugin', 'pack', 'word-goals');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /an upload would refuse it: .*con\.txt/);
    setManifest(folder, { id: 'Panel' });
    const faulty = await world.run('plugin', 'pack', 'word-goals');
    assert.equal(faulty.code, 1);
    assert.match(faulty.out, /^plugin\.json:2:9: the id "Panel" is none/m);
    assert.deepEqual(
      readdirSync(folder).filter((name) => /zip|canonry-pack/.test(name)),
      [],
    );
  });

  test('warns above what an upload takes', () => {
    const most = 50 * 1024 * 1024;
    assert.equal(warningAbout(most), null);
    assert.match(warningAbout(most + 1) ?? '', /larger than 50\.00 MiB/);
  });

  test('needs a place to write to', async (t) => {
    const world = cliWorld(t);
    await newPanel(world);
    mkdirSync(join(world.folder, 'there'));
    const { code, err } = await world.run('plugin', 'pack', 'word-goals', '--out', 'nowhere/a.zip');
    assert.equal(code, 2);
    assert.match(err, /nowhere\/a\.zip cannot be written/);
  });
});

const ENTITY = {
  entity_type: true,
  entity_id: true,
  name: true,
  status: true,
  fields: true,
  markdown_body: true,
  primary_asset: true,
  production_status: true,
  template_version: true,
  is_valid: true,
  validation_errors: true,
  version: true,
  created_at: true,
  updated_at: true,
  updated_by: true,
} satisfies Record<keyof Entity, true>;

test('plugins are told of entities what the API says of them', () => {
  const entity: Entity = exampleEntity;
  const names = Object.keys(entity).filter((name) => !name.endsWith('checksum'));
  assert.deepEqual(names.sort(), Object.keys(ENTITY).sort());
});

test('canonry plugin wit prints the world that the service has', async (t) => {
  const { code, out } = await cliWorld(t).run('plugin', 'wit');
  assert.equal(code, 0);
  assert.equal(out, readFileSync(WIT, 'utf8'));
});
