import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { characters, startDriveSync } from '../../../../test/support/drive/drive-sync-case.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

describe('names that a drive has and a disk does not', () => {
  test('of equal names the newer one gets a number, and that is reported', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, person, folderId } = drive;
    person.createFile(folderId, 'map.txt', 'first');
    // Of the same millisecond, the ids decide.
    await setTimeout(2);
    person.createFile(folderId, 'map.txt', 'second');
    const { left } = await one.round();
    assert.deepEqual([one.disk.read('map.txt'), one.disk.read('map_2.txt')], ['first', 'second']);
    assert.equal(left[0]?.key, 'map_2.txt');
    assert.match(left[0]?.reason ?? '', /more than once .* map_2\.txt/);
    one.disk.write('map_2.txt', 'second, changed here');
    const results = await drive.settle();
    assert.deepEqual(results.at(-1)?.left, left, 'it is said until it is mended');
    assert.deepEqual(
      drive.server.tree(folderId).flatMap(({ path, text }) => (path === 'map.txt' ? [text] : [])),
      ['first', 'second, changed here'],
    );
    person.trash(drive.idAt('map.txt'));
    const last = (await drive.settle()).at(-1);
    assert.deepEqual([last?.left, one.disk.read('map.txt')], [[], 'second, changed here']);
  });

  test('of folders as well', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, person, folderId } = drive;
    const folder = person.createFolder(folderId, 'Characters');
    person.createFile(folder, 'notes.txt', 'notes');
    const { left } = await one.round();
    assert.equal(one.disk.read('Characters_2/notes.txt'), 'notes');
    assert.deepEqual(
      left.map(({ key }) => key),
      ['Characters_2'],
    );
  });

  test('a slash in a name is no folder', async (t) => {
    const drive = await startDriveSync(core, {
      installs: 2,
      files: { ...characters('ada'), 'a/b.txt': 'in a folder' },
    });
    t.after(drive.close);
    const { one, two, person, folderId } = drive;
    const slashed = person.createFile(folderId, 'a/b.txt', 'with a slash');
    const { left } = await one.round();
    assert.match(left[0]?.reason ?? '', /holds a slash/);
    one.disk.write('a/b.txt', 'in a folder, changed');
    await drive.settle();
    assert.equal(drive.server.file(slashed)?.revisions.length, 1);
    assert.deepEqual([two.disk.read('a/b.txt'), two.disk.tree()], ['in a folder, changed', one.disk.tree()]);
    one.disk.remove('a/b.txt');
    await drive.settle();
    assert.equal(drive.server.file(slashed)?.trashedItself, false);
  });

  test('names that no place here can have are left, with all below, and do not stop the others', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, person, folderId } = drive;
    const long = 'long'.repeat(80);
    const folder = person.createFolder(folderId, long);
    person.createFile(folder, 'a.txt', 'a');
    person.createFile(folderId, '..', 'b');
    person.createFile(folderId, '../c.txt', 'c');
    person.createFile(folderId, 'd.txt', 'd');
    const { error, left } = await one.round();
    assert.equal(error, null);
    assert.deepEqual(
      left.map(({ key }) => key),
      [`${long}/a.txt`],
    );
    assert.equal(one.disk.read('d.txt'), 'd');
    assert.deepEqual(
      [...one.disk.tree().keys()].filter((path) => !path.startsWith('_')),
      ['Characters/ada/CH_ada.md', 'd.txt'],
    );
  });
});

describe('documents of the drive', () => {
  test('are exported beside the files, follow the drive, and are written and removed only there', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada') });
    t.after(drive.close);
    const { one, two, person } = drive;
    const document = person.createDocument(drive.idAt('Characters/ada'), 'Plan', 'First');
    await drive.settle();
    const path = 'Characters/ada/Plan.document.md';
    assert.equal(one.disk.read(path), 'First');
    person.edit(document, 'Second');
    await drive.settle();
    assert.deepEqual([one.disk.read(path), two.disk.read(path)], ['Second', 'Second']);
    one.disk.write(path, 'Mine');
    const { left, error } = await one.round();
    assert.equal(error, null);
    assert.match(left[0]?.reason ?? '', /edit the document there/);
    assert.deepEqual([person.readText(document), two.disk.read(path)], ['Second', 'Second']);
    one.disk.remove(path);
    await drive.settle();
    assert.deepEqual([drive.server.file(document)?.trashedItself, two.disk.read(path)], [false, 'Second']);
    person.rename(document, 'Intent');
    await drive.settle();
    assert.equal(two.disk.read('Characters/ada/Intent.document.md'), 'Second');
    assert.equal(two.disk.read(path), undefined);
    person.trash(document);
    await drive.settle();
    assert.equal(two.disk.read('Characters/ada/Intent.document.md'), undefined);
    assert.ok(two.disk.recycled().includes('Second'));
  });

  test('take no file’s name, nor the other way round', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada') });
    t.after(drive.close);
    const { one, two, person, folderId } = drive;
    person.createDocument(folderId, 'notes.txt', 'of the document');
    one.disk.write('notes.txt', 'of the file');
    await drive.settle();
    person.createFile(folderId, 'notes.txt.document.md', 'of the newer file');
    await drive.settle();
    for (const { disk } of [one, two])
      assert.deepEqual(['notes.txt', 'notes.txt.document.md', 'notes.txt.document_2.md'].map(disk.read), [
        'of the file',
        'of the document',
        'of the newer file',
      ]);
    assert.equal(drive.textAt('notes.txt.document.md'), 'of the newer file');
  });
});
