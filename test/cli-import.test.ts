import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { ImportResult } from '../src/world/imports/imports.service.ts';
import { cliWorld, snapshot } from './support/cli.ts';
import { notesVault } from './support/notes-vault.ts';
import { zipOf } from './support/zip.ts';

const NOTES = 24;

const bytesOf = ({ content, encoding = 'utf8' }: { content: string; encoding?: BufferEncoding }): Buffer =>
  Buffer.from(content, encoding);

describe('canonry import', () => {
  test('of a folder of notes says what became of everything, and writes it as one operation', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    for (const file of notesVault(NOTES)) {
      const path = join(world.folder, 'vault', file.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytesOf(file));
    }
    const before = snapshot(world.contentDir);
    const dry = await world.run('import', 'vault', '--dry-run');
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.out, /^would create character mira_0 from People\/Mira 0\.md$/m);
    assert.match(dry.out, /^ {2}born is birth_year \(80 %: another word for it, as a number\)$/m);
    assert.match(dry.out, /^ {2}mood is kept as mood: no field fits it$/m);
    assert.deepEqual(snapshot(world.contentDir), before);

    const chosen = await world.run(
      ...['import', 'vault', '--dry-run', '--type-of', 'People=faction', '--type-of', 'People/Ansel 4.md='],
    );
    assert.equal(chosen.code, 0, 'what was asked for is no loss');
    assert.match(chosen.out, /^left out People\/Ansel 4\.md$/m);
    assert.match(chosen.out, /^would create faction \w+ from People\//m);
    assert.doesNotMatch(chosen.out, /would create character/);
    const unclear = await world.run('import', 'vault', '--type-of', 'People');
    assert.deepEqual([unclear.code, /place and a type/.test(unclear.err)], [2, true], unclear.err);

    symlinkSync('/etc/hostname', join(world.folder, 'vault/link.md'));
    const done = await world.run('import', 'vault', '--json');
    assert.equal(done.code, 1, 'the link was left out');
    const { totals, refused, operation } = done.json<ImportResult>();
    assert.deepEqual(
      refused.map(({ place }) => place),
      ['link.md'],
    );
    assert.deepEqual([totals.notes.create, operation?.status, operation?.created_by], [NOTES, 'done', 'cli']);
    assert.match(
      readFileSync(join(world.contentDir, 'Characters/mira_0/CH_mira_0.md'), 'utf8'),
      /^home: harbour_1$/m,
    );
    assert.ok(existsSync(join(world.contentDir, 'Characters/mira_0/images/picture 0.png')));

    const again = await world.run('import', 'vault');
    assert.equal(again.code, 1);
    assert.match(again.out, /^skipped character mira_0 .* is there already$/m);
  });

  test('of a zip, a table and JSON', async (t) => {
    const world = cliWorld(t);
    await world.run('init');
    const put = (name: string, content: string | Buffer) => writeFileSync(join(world.folder, name), content);
    put('vault.zip', zipOf(notesVault(NOTES).map((file) => ({ name: file.path, content: bytesOf(file) }))));
    put('people.csv', 'name;born\nAda;1187\n');
    put('cast.json', '[{"name": "Ada", "mood": "fine"}]');
    put('bad.zip', zipOf([{ name: '../x.md', content: 'x' }]));
    put('song.mp3', '');
    assert.equal((await world.run('import', 'vault.zip')).code, 0);
    const table = await world.run('import', 'people.csv', '--json');
    assert.equal(table.code, 0, table.out);
    const merged = await world.run('import', 'cast.json', '--type', 'character', '--mode', 'merge');
    assert.equal(merged.code, 0, merged.out);
    assert.match(
      readFileSync(join(world.contentDir, 'Characters/ada/CH_ada.md'), 'utf8'),
      /birth_year: 1187\n(.*\n)*mood: fine/,
    );
    const before = snapshot(world.contentDir);
    for (const name of ['bad.zip', 'song.mp3', 'missing.csv'])
      assert.equal((await world.run('import', name)).code, 2, name);
    assert.equal((await world.run('import', 'people.csv', '--type', 'nothing')).code, 2);
    assert.deepEqual(snapshot(world.contentDir), before);
  });
});
