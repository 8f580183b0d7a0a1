import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  character,
  characters,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';
import { conflictTexts } from '../../../../test/support/drive-histories/drive-world.ts';
import { DriveError } from '../../../platform/drive/drive.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

describe('two files of one entity in a drive', () => {
  test('the older one counts, and the newer one takes its place only while it lies in the trash', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada', 'bo') });
    t.after(drive.close);
    const { one, two, person } = drive;
    const older = drive.idAt('Characters/ada');
    const folder = person.createFolder(drive.idAt('Characters'), 'copy');
    const copy = person.createFile(folder, 'CH_ada.md', character('ada', 'A copy.'));
    const results = await drive.settle();
    assert.deepEqual(
      results.map(({ left }) => left.map(({ key }) => key)),
      results.map(() => [pathOf('ada', 'copy')]),
    );
    assert.equal(one.disk.read(pathOf('ada')), character('ada'));

    person.trash(older);
    await drive.settle();
    for (const { disk } of [one, two])
      assert.deepEqual(
        [disk.read(pathOf('ada')), disk.read(pathOf('ada', 'copy'))],
        [undefined, character('ada', 'A copy.')],
      );

    person.untrash(older);
    assert.equal((await drive.settle()).at(-1)?.left.length, 1);
    one.disk.write(pathOf('ada'), character('ada', 'Changed here.'));
    await drive.settle();
    assert.equal(two.disk.read(pathOf('ada')), character('ada', 'Changed here.'));
    assert.equal(two.disk.read(pathOf('ada', 'copy')), undefined);
    assert.equal(drive.server.file(copy)?.revisions.length, 1);
    person.edit(copy, character('cy'));
    await drive.settle();
    assert.equal(two.disk.read(pathOf('ada', 'copy')), character('cy'));
  });

  test('one that comes out of the trash beside its successor is the entity again, for everybody', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada', 'bo') });
    t.after(drive.close);
    const { one, two, person } = drive;
    const file = drive.idAt(pathOf('ada'));
    person.trash(file);
    one.disk.write(pathOf('ada'), character('ada', 'Written here.'));
    await one.round();
    assert.notEqual(drive.idAt(pathOf('ada')), file);
    person.untrash(file);
    await drive.settle();
    one.disk.move('Characters/ada', 'Characters/here');
    const results = await drive.settle();
    assert.deepEqual(results.at(-1)?.left, []);
    assert.deepEqual(drive.paths(), [pathOf('bo'), pathOf('ada', 'here')]);
    assert.equal(drive.idAt(pathOf('ada', 'here')), file);
    assert.deepEqual([...one.disk.tree()], [...two.disk.tree()]);
    assert.match(conflictTexts(one.folder).join('\n'), /Written here\./);
  });

  test('the newer one yields although the answer to its creation was lost', async (t) => {
    let dies = false;
    const drive = await startDriveSync(core, {
      files: characters('ada'),
      through: (real) => ({
        async create(file, content) {
          const made = await real.create(file, content);
          if (dies) throw new DriveError('unavailable', 'The process died');
          return made;
        },
      }),
    });
    t.after(drive.close);
    const { one, person } = drive;
    const file = drive.idAt(pathOf('ada'));
    person.trash(drive.idAt('Characters/ada'));
    one.disk.write(pathOf('ada'), character('ada', 'Written here.'));
    dies = true;
    assert.equal((await one.round()).error?.code, 'unreachable');
    dies = false;
    person.untrash(drive.server.file(file)?.parentId ?? '');
    const results = await drive.settle();
    assert.deepEqual(drive.paths(), [pathOf('ada')]);
    assert.equal(drive.idAt(pathOf('ada')), file);
    assert.deepEqual(
      results.at(-1)?.left.map(({ reason }) => reason),
      [],
    );
    assert.match(conflictTexts(one.folder).join('\n'), /Written here\./);
  });

  test('an older file that takes its name and cannot be read takes nothing else', async (t) => {
    const second = 'Characters/ada/CH_ada_2.md';
    for (const broken of ['Just notes.\n', '']) {
      const drive = await startDriveSync(core, { installs: 2 });
      t.after(drive.close);
      const { one, two, person } = drive;
      const older = person.createFile(drive.folderId, 'CH_ada.md', broken);
      for (const [path, text] of Object.entries(characters('ada', 'bo'))) one.disk.write(path, text);
      await drive.settle();
      const [ada, folder] = [drive.idAt(pathOf('ada')), drive.idAt('Characters/ada')];
      person.move(older, folder);
      person.rename(drive.idAt(pathOf('bo')), 'bo.md');
      person.createFile(drive.idAt('Characters/bo'), 'CH_bo.md', broken);
      const results = await drive.settle();
      assert.deepEqual(
        results.at(-1)?.left.map(({ key }) => key),
        [pathOf('ada'), second, pathOf('bo')],
      );
      assert.equal(drive.server.file(ada)?.trashedItself, false);
      for (const { disk } of [one, two])
        assert.deepEqual(
          [disk.read(second), disk.read('Characters/bo/bo.md')],
          [character('ada'), character('bo')],
        );
      one.disk.write(second, character('ada', 'Changed here.'));
      person.trash(older);
      await drive.settle();
      assert.equal(drive.server.file(ada)?.revisions.length, 2);
      assert.equal(two.disk.read(pathOf('ada')), character('ada', 'Changed here.'));
    }
  });

  test('the newer one yields although the process died when it went to the trash', async (t) => {
    for (const dies of ['before', 'after']) {
      let isAlive = true;
      let precede = (_parentId: string, _name: string) => {};
      const drive = await startDriveSync(core, {
        files: characters('ada'),
        installs: 2,
        through: (real) => ({
          async create(file, content) {
            precede(file.parentId, file.name);
            return real.create(file, content);
          },
          async update(fileId, change) {
            const isEnd = change.trashed === true && isAlive;
            if (isEnd) isAlive = false;
            if (isEnd && dies === 'before') throw new DriveError('unavailable', 'The process died');
            const file = await real.update(fileId, change);
            if (isEnd) throw new DriveError('unavailable', 'The process died');
            return file;
          },
        }),
      });
      t.after(drive.close);
      const { one, two, person, server } = drive;
      precede = (parentId, name) => {
        person.createFile(
          parentId,
          name,
          name === 'notes.txt' ? 'Of all.' : character('bo', 'Written there.'),
        );
        server.clockOffsetMs += 1_000;
      };
      one.disk.write('Characters/ada/notes.txt', 'Of all.');
      one.disk.write(pathOf('bo'), character('bo', 'Written here.'));
      assert.equal((await one.round()).error?.code, 'unreachable');
      precede = () => {};
      const results = await drive.settle();
      assert.deepEqual(results.at(-1)?.left, []);
      const all = [pathOf('ada'), 'Characters/ada/notes.txt', pathOf('bo')];
      assert.deepEqual(drive.paths(), all);
      assert.deepEqual([...one.disk.tree()], [...two.disk.tree()]);
      assert.match(conflictTexts(one.folder).join('\n'), /Written here\./);
    }
  });
});
