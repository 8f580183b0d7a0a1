import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { acquirePidFile } from '../src/kit/pid-file.ts';
import { PROJECT_FILE, SAMPLE_LIST } from '../src/world/projects/project-files.ts';
import { character, cliWorld, snapshot, writeCharacter } from './support/cli.ts';

interface Report {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  invalid_total: number;
  status: string;
}

interface Validation {
  entities: number;
  findings: {
    path: string;
    line: number;
    column: number;
    message: string;
    rule_id: string | null;
    severity: string;
  }[];
  skipped: { path: string; reason: string }[];
}

describe('validate', () => {
  test('finds nothing in the sample world and needs no database', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    const result = await world.run('validate', '--json');
    assert.equal(result.code, 0);
    assert.ok(result.json<Validation>().entities >= 40);
    assert.equal(existsSync(world.dataDir), false);
  });

  test('names each fault with file, line and column', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    writeCharacter(world.contentDir, 'ada', 'status: sleeping\n');
    const broken = writeCharacter(world.contentDir, 'bob');
    writeFileSync(broken, '---\nid: bob\nname: [open\n---\n');
    writeFileSync(join(world.contentDir, '_Templates/Standard/SHIP_TEMPLATE.md'), '---\nname: x\n---\n');
    symlinkSync('/etc/hostname', join(world.contentDir, 'Characters/ada/link.md'));
    writeFileSync(join(world.contentDir, 'Characters/cleo.md'), '---\nname: Cleo\n---\n');
    mkdirSync(join(world.contentDir, 'Drafts'));
    writeFileSync(join(world.contentDir, 'Drafts/idea.md'), 'An idea.\n');
    const { code, out } = await world.run('validate');
    assert.equal(code, 1);
    assert.match(out, /^content\/Characters\/ada\/CH_ada\.md:5:1: warning: .*sleeping/m);
    assert.match(out, /^content\/Characters\/bob\/CH_bob\.md:\d+:\d+: /m);
    assert.match(out, /^content\/_Templates\/Standard\/SHIP_TEMPLATE\.md:2:1: entity_type/m);
    assert.match(out, /^skipped content\/Characters\/ada\/link\.md: a symbolic link/m);
    assert.match(out, /^skipped content\/Characters\/cleo\.md: .*folder of its own/m);
    assert.match(out, /^no template's folder: Drafts$/m);
  });

  test('finds two files that claim one id', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    writeCharacter(world.contentDir, 'ada');
    const copy = join(world.contentDir, 'Characters', 'aaa');
    cpSync(join(world.contentDir, 'Characters/ada'), copy, { recursive: true });
    const { findings } = (await world.run('validate', '--json')).json<Validation>();
    assert.deepEqual(
      findings.filter(({ rule_id }) => rule_id === null).map(({ path, message }) => [path, message]),
      [['Characters/aaa/CH_ada.md', "the id 'ada' already belongs to Characters/ada/CH_ada.md"]],
    );
  });

  test('tells which rules are broken, and which entities are named that there are not', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    rmSync(join(world.contentDir, '_Rules'), { recursive: true });
    mkdirSync(join(world.contentDir, '_Rules'));
    writeFileSync(
      join(world.contentDir, '_Rules/CHARACTER_RULES.md'),
      `---
rules:
  - { id: parents, priority: high, validation_type: reference_exists, applies_to: parents }
  - { id: wants, priority: low, validation_type: required_field, applies_to: want }
---
`,
    );
    writeCharacter(world.contentDir, 'ada', 'want: More\n');
    writeCharacter(world.contentDir, 'bo', 'parents: [ada, nobody]\n');
    for (const what of [[], ['Characters/bo']]) {
      const result = await world.run('validate', '--json', ...what);
      assert.equal(result.code, 1);
      assert.deepEqual(
        result
          .json<Validation>()
          .findings.map(({ path, line, rule_id, severity }) => [path, line, rule_id, severity]),
        [
          ['Characters/bo/CH_bo.md', 5, 'parents', 'error'],
          ['Characters/bo/CH_bo.md', 2, 'wants', 'info'],
        ],
      );
    }
    rmSync(join(world.contentDir, 'Characters/bo'), { recursive: true });
    writeCharacter(world.contentDir, 'cy');
    const { code, out } = await world.run('validate');
    assert.equal(code, 0);
    assert.match(out, /hint: want is required and is empty/);
  });

  test('tells faults first and alone with --errors, then hints by their rule with their number', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    const stubs = Array.from({ length: 35 }, (_, index) => `stub_${index}`);
    for (const id of stubs) writeCharacter(world.contentDir, id);
    for (const id of ['zed_1', 'zed_2']) writeCharacter(world.contentDir, id, 'height_cm: tall\n');
    const linesOf = async (...more: string[]) => {
      const { code, out } = await world.run('validate', 'character', ...more);
      assert.equal(code, 1);
      return out.trimEnd().split('\n');
    };
    const lines = await linesOf();
    assert.match(lines[0] ?? '', /zed_1.*height_cm must be a number/);
    assert.match(lines[1] ?? '', /zed_2.*height_cm must be a number/);
    const groups = lines.slice(2, -1);
    assert.ok(groups.length > 0 && groups.length < 10, groups.join('\n'));
    for (const line of groups)
      assert.match(line, /^(?:warning|hint): \d+ × \w+, first content\/Characters\/\S+:\d+:\d+: /);
    const words = groups.map((line) => line.split(':')[0]);
    assert.deepEqual(words, words.toSorted().reverse(), 'warnings before hints');
    assert.match(lines.at(-1) ?? '', /: 2 faults, \d+ warnings and hints \(--all prints each\)$/);

    const errors = await linesOf('--errors');
    assert.deepEqual(errors.slice(0, -1), lines.slice(0, 2));
    assert.match(errors.at(-1) ?? '', /: 2 faults$/);
    const json = (await world.run('validate', 'character', '--errors', '--json')).json<Validation>();
    assert.deepEqual(
      json.findings.map(({ rule_id }) => rule_id),
      ['template.wrong_type', 'template.wrong_type'],
    );
    assert.ok((await linesOf('--all')).filter((line) => line.includes('hint: ')).length >= stubs.length);
  });

  test('warns of each field that no template knows, and finds no fault in it', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    for (const id of ['ada', 'bo']) writeCharacter(world.contentDir, id, 'brith_year: 3\nspeices: human\n');
    const { code, out } = await world.run('validate', 'character');
    assert.equal(code, 0);
    for (const near of ['birth_year', 'species'])
      assert.match(
        out,
        new RegExp(`^warning: 2 × template.unknown_field, first .*did you mean '${near}'`, 'm'),
      );
  });

  test('--fix mends what is certain, after a preview that changes nothing', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    writeCharacter(world.contentDir, 'ada', 'status: Active\nheight_cm: "170"\n');
    const earlier = snapshot(world.contentDir);
    const preview = await world.run('validate', '--fix', '--dry-run', 'character');
    assert.equal(preview.code, 0, preview.out + preview.err);
    assert.match(preview.out, /Characters\/ada\/CH_ada\.md:\d+: height_cm: "170" → 170/);
    assert.match(preview.out, /Would fix 2 values in 1 entity, 0 left for people/);
    assert.deepEqual(snapshot(world.contentDir), earlier);
    const fixed = await world.run('validate', '--fix', '--json');
    assert.equal(fixed.code, 0);
    assert.equal(fixed.json<{ fixed_total: number }>().fixed_total, 2);
    assert.notDeepEqual(snapshot(world.contentDir), earlier);
    assert.equal((await world.run('validate', 'character')).code, 0);
    assert.equal((await world.run('validate', '--dry-run')).code, 2);
  });

  test('looks at the types and paths that are named, and at no others', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    const bad = writeCharacter(world.contentDir, 'bad', 'status: sleeping\n');
    assert.equal((await world.run('validate', 'location', 'item')).code, 0);
    assert.equal((await world.run('validate', 'character')).code, 1);
    assert.equal((await world.run('validate', bad)).code, 1);
    assert.equal((await world.run('validate', 'content/Locations')).code, 0);
    assert.equal((await world.run('validate', 'Characters/bad')).code, 1);
    assert.match((await world.run('validate', 'nothing')).err, /'nothing' is neither/);
    assert.equal((await world.run('validate', '../..')).code, 2);
  });
});

describe('sync', () => {
  test('takes the folder in, and then only what changed', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    const before = snapshot(world.contentDir);
    const first = (await world.run('sync', '--json')).json<Report>();
    assert.ok(first.created >= 40);
    const path = writeCharacter(world.contentDir, 'zoe');
    rmSync(join(world.contentDir, 'Items', readdirSync(join(world.contentDir, 'Items'))[0] ?? ''), {
      recursive: true,
    });
    const second = (await world.run('sync', '--json')).json<Report>();
    assert.deepEqual([second.created, second.updated, second.deleted], [1, 0, 1]);
    appendFileSync(path, 'More.\n');
    const third = (await world.run('sync', '--type', 'character', '--json')).json<Report>();
    assert.deepEqual([third.created, third.updated, third.deleted], [0, 1, 0]);
    const after = snapshot(world.contentDir);
    for (const [file, bytes] of Object.entries(before)) assert.equal(after[file] ?? bytes, bytes, file);
  });

  test('ends with 1 and names invalid files', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    writeFileSync(writeCharacter(world.contentDir, 'bob'), '---\nname: [open\n---\n');
    const { code, out } = await world.run('sync');
    assert.equal(code, 1);
    assert.match(out, /^Characters\/bob\/CH_bob\.md:\d+:\d+: /m);
    assert.match(out, /1 invalid/);
  });

  test('asks before it follows the loss of most entities', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    await world.run('sync');
    for (const type of ['Characters', 'Locations', 'Items', 'Factions', 'Quests', 'Brands'])
      rmSync(join(world.contentDir, type), { recursive: true });
    const stopped = await world.run('sync');
    assert.equal(stopped.code, 1);
    assert.match(stopped.out, /Nothing was deleted/);
    const forced = await world.run('sync', '--force', '--json');
    assert.equal(forced.code, 0);
    assert.ok(forced.json<Report>().deleted > 10);
  });

  test('refuses an unknown type and a missing folder', async (t) => {
    const world = cliWorld(t);
    assert.match((await world.run('sync')).err, /content folder is missing/);
    await world.run('init');
    assert.match((await world.run('sync', '--type', 'dragon')).err, /there is no type 'dragon'/);
  });

  test('leaves a data folder alone that another process works on', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    mkdirSync(world.dataDir);
    const lock = await acquirePidFile(join(world.dataDir, 'canonry.pid'));
    try {
      for (const args of [['sync'], ['doctor', '--fix'], ['user', 'create', 'a@example.com'], ['migrate']]) {
        const { code, err } = await world.run(...args);
        assert.equal(code, 2, args.join(' '));
        assert.match(err, new RegExp(`^canonry: Process ${process.pid} already works.*\\n$`), args.join(' '));
      }
      assert.match((await world.run('sync')).err, /POST \/api\/sync\/refresh-all/);
      assert.equal((await world.run('validate')).code, 0);
      assert.deepEqual(
        readdirSync(world.dataDir).filter((name) => name.endsWith('.db')),
        [],
      );
    } finally {
      lock.release();
    }
    assert.equal((await world.run('sync')).code, 0);
    assert.equal(existsSync(join(world.dataDir, 'canonry.pid')), false);
  });
});

describe('export', () => {
  test('hands out the exact bytes of an entity', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    const path = writeCharacter(world.contentDir, 'ada');
    const odd = '\uFEFF---\r\nid: ada\r\nname: "Ada"  # who\r\n---\r\nNo end of line';
    writeFileSync(path, odd);
    assert.equal((await world.run('export', 'character', 'ada')).out, odd);
    renameSync(join(world.contentDir, 'Characters/ada'), join(world.contentDir, 'Characters/Elsewhere'));
    const moved = await world.run('export', 'character', 'ada', '--json');
    assert.equal(moved.json().content, odd);
    assert.equal(moved.json().path, 'Characters/Elsewhere/CH_ada.md');
    const missing = await world.run('export', 'character', 'eve');
    assert.equal(missing.code, 2);
    assert.match(missing.err, /there is no character 'eve'/);
  });

  test('copies a whole project but its recycle bin', async (t) => {
    const world = cliWorld(t);
    await world.run('init', '--sample');
    const all = snapshot(world.contentDir);
    mkdirSync(join(world.contentDir, '_RecycleBin/Items'), { recursive: true });
    writeFileSync(join(world.contentDir, '_RecycleBin/Items/old.md'), 'old');
    assert.equal((await world.run('export', '--all', '--to', 'copy')).code, 0);
    const { [SAMPLE_LIST]: list, [PROJECT_FILE]: name, ...content } = all;
    assert.ok(list && name);
    assert.deepEqual(snapshot(join(world.folder, 'copy')), content);
    const again = await world.run('export', '--all', '--to', 'copy');
    assert.equal(again.code, 2);
    assert.match(again.err, /is not empty/);
    assert.equal((await world.run('export', '--all', '--to', 'content/inside')).code, 2);
    assert.equal((await world.run('export', '--all')).code, 2);
  });

  test('writes all entities as they were at a time, beside a running service too', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    const ada = writeCharacter(world.contentDir, 'ada');
    const bob = writeCharacter(world.contentDir, 'bob');
    const [then, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];
    for (const path of [ada, bob]) utimesSync(path, then, then);
    const before = snapshot(join(world.contentDir, 'Characters'));
    assert.equal((await world.run('sync')).code, 0);
    appendFileSync(ada, 'And more.\n');
    utimesSync(ada, later, later);
    rmSync(join(world.contentDir, 'Characters/bob'), { recursive: true });
    writeCharacter(world.contentDir, 'cleo');
    assert.equal((await world.run('sync', '--force')).code, 0);
    const lock = await acquirePidFile(join(world.dataDir, 'canonry.pid'));
    t.after(() => lock.release());
    assert.equal((await world.run('export', '--at', '2026-01-15', '--to', 'past')).code, 0);
    assert.deepEqual(snapshot(join(world.folder, 'past/Characters')), before);
    const odd = await world.run('export', '--at', 'yesterday', '--to', 'other');
    assert.equal(odd.code, 2);
    assert.match(odd.err, /'yesterday' is not a valid time/);
    assert.equal((await world.run('export', '--at', '2026-01-15')).code, 2);
  });
});

describe('import', () => {
  test('takes in what is free, byte for byte with its assets, and lists the rest', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    await world.run('init', 'other');
    const other = join(world.folder, 'other');
    writeCharacter(world.contentDir, 'ada');
    const mine = snapshot(world.contentDir);
    writeCharacter(other, 'ada', 'status: draft\n');
    const bob = join(other, 'Characters/Bob');
    mkdirSync(join(bob, 'images'), { recursive: true });
    writeFileSync(join(bob, 'notes on bob.md'), character('bob').replaceAll('\n', '\r\n'));
    writeFileSync(join(bob, 'images/face.png'), Buffer.from([0, 255, 1, 254]));
    writeFileSync(writeCharacter(other, 'bad'), '---\nname: [open\n---\n');

    const dry = await world.run('import', 'other', '--dry-run', '--json');
    assert.deepEqual(snapshot(world.contentDir), mine);
    assert.deepEqual(dry.json().imported, [
      { entity_type: 'character', entity_id: 'bob', from: 'Characters/Bob', to: 'Characters/Bob' },
    ]);
    const done = await world.run('import', 'other', '--json');
    assert.equal(done.code, 1);
    const report = done.json<{ imported: unknown[]; refused: { path: string }[]; sync: Report }>();
    assert.deepEqual(report.imported, dry.json().imported);
    assert.deepEqual(report.refused.map(({ path }) => path).sort(), [
      'Characters/ada/CH_ada.md',
      'Characters/bad/CH_bad.md',
    ]);
    assert.equal(report.sync.created, 2);
    const now = snapshot(world.contentDir);
    const taken = Object.entries(now).filter(([path]) => path.startsWith('Characters/Bob/'));
    assert.deepEqual(
      Object.fromEntries(taken.map(([path, bytes]) => [path.slice('Characters/Bob/'.length), bytes])),
      snapshot(bob),
    );
    for (const [path, bytes] of Object.entries(mine)) assert.equal(now[path], bytes);
  });

  test('copies nothing when the plan has no room for all', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    await world.run('init', 'other');
    for (let n = 0; n < 101; n += 1) writeCharacter(join(world.folder, 'other'), `c${n}`);
    const { code, err } = await world.runWith({ env: { LOCAL_PLAN: 'free' } }, 'import', 'other');
    assert.equal(code, 2);
    assert.match(err, /nothing was imported: .*allows 100/);
    assert.equal(existsSync(join(world.contentDir, 'Characters')), false);
  });

  test('refuses a folder within the content folder', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    assert.equal((await world.run('import', 'content')).code, 2);
    assert.equal((await world.run('import', 'content/Characters')).code, 2);
    assert.equal((await world.run('import', 'missing')).code, 2);
  });
});
