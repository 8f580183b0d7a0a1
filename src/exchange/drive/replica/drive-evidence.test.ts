import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  characters,
  type DriveSyncCase,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';
import type { SyncResult } from '../../sync/index.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const letters = 'abcdefghijkl';
const files = (): Record<string, string> => ({
  ...characters('ada', 'bo'),
  ...Object.fromEntries([...letters].map((letter) => [`sub/${letter}.txt`, letter])),
});

const isWhole = ({ one }: DriveSyncCase): boolean => {
  const tree = one.disk.tree();
  return Object.keys(files()).every((path) => tree.has(path));
};

const errorOf = ({ error }: SyncResult) => error?.code;

describe('what was not seen to be deleted in the drive stays here', () => {
  for (const list of ['short', 'empty', 'incomplete'] as const)
    test(`a listing that is ${list}`, async (t) => {
      const drive = await startDriveSync(core, { files: files() });
      t.after(drive.close);
      const { one, server } = drive;
      server.loseTokens();
      server.faults.next({ match: /^GET \/drive\/v3\/files\?/, list, times: 20 });
      await one.round();
      assert.ok(isWhole(drive));
      server.faults.clear();
      await drive.settle();
      assert.ok(isWhole(drive));
      assert.equal(one.disk.recycled().length, 0);
    });

  test('the connected folder in the trash, or a folder above it', async (t) => {
    const drive = await startDriveSync(core, { files: files() });
    t.after(drive.close);
    const { one, server, person, folderId } = drive;
    const above = server.owner.createFolder(server.rootId, 'Above');
    server.owner.move(folderId, above);
    assert.equal(errorOf(await one.round()), undefined);
    for (const trashed of [folderId, above])
      for (const trashListsDescendants of [false, true]) {
        server.trashListsDescendants = trashListsDescendants;
        person.trash(trashed);
        assert.equal(errorOf(await one.round()), 'forbidden');
        assert.ok(isWhole(drive));
        person.untrash(trashed);
        assert.equal(errorOf(await one.round()), undefined);
      }
    assert.equal(one.disk.recycled().length, 0);
  });

  test('the connected folder, no longer shared', async (t) => {
    const drive = await startDriveSync(core, { files: files() });
    t.after(drive.close);
    const { one, server, folderId } = drive;
    server.unpick(folderId);
    assert.equal(errorOf(await one.round()), 'forbidden');
    server.loseTokens();
    assert.equal(errorOf(await one.round()), 'forbidden');
    assert.ok(isWhole(drive));
  });

  test('a folder that is no longer shared, even if single files of it are', async (t) => {
    const drive = await startDriveSync(core, { files: files() });
    t.after(drive.close);
    const { one, server, person } = drive;
    const [folder, file] = [drive.idAt('sub'), drive.idAt('sub/a.txt')];
    server.unpick(folder);
    server.pick(file);
    person.edit(file, 'changed');
    const { left } = await one.round();
    assert.equal(left.length, letters.length, 'the folder, and all but one of its files');
    assert.ok(isWhole(drive));
    assert.equal(one.disk.read('sub/a.txt'), 'changed');
    server.loseTokens();
    await drive.settle();
    assert.ok(isWhole(drive));
    server.pick(folder);
    person.rename(folder, 'new');
    await drive.settle();
    assert.equal(one.disk.read('new/a.txt'), 'changed');
    server.pick(folder, { below: true });
    assert.deepEqual((await drive.settle()).at(-1)?.left, []);
    assert.deepEqual(drive.paths().length, Object.keys(files()).length);
  });

  test('a folder that was moved away and back', async (t) => {
    const drive = await startDriveSync(core, { files: files() });
    t.after(drive.close);
    const { one, server, person, folderId } = drive;
    const [folder, outside] = [drive.idAt('sub'), server.owner.createFolder(server.rootId, 'Outside')];
    person.move(folder, outside);
    const { held } = await one.round();
    assert.equal(held?.deletions, letters.length);
    person.move(folder, folderId);
    assert.equal((await one.round()).held, null);
    assert.ok(isWhole(drive));
    assert.equal(one.disk.recycled().length, 0);
  });

  test('a file that goes out of sight leaves its place to another one', async (t) => {
    const drive = await startDriveSync(core, { files: files() });
    t.after(drive.close);
    const { one, server, person, folderId } = drive;
    const file = drive.idAt('sub/a.txt');
    const hidden = server.owner.createFolder(server.rootId, 'Private', { visible: false });
    person.move(file, hidden);
    await drive.settle();
    assert.equal(one.disk.read('sub/a.txt'), undefined);
    assert.deepEqual(one.disk.recycled(), ['a']);
    person.createFile(server.file(drive.idAt('sub'))?.id ?? folderId, 'a.txt', 'another');
    await drive.settle();
    assert.equal(one.disk.read('sub/a.txt'), 'another');
    one.disk.write('sub/a.txt', 'edited here');
    await drive.settle();
    assert.equal(drive.textAt('sub/a.txt'), 'edited here');
    assert.equal(server.file(file)?.revisions.at(-1)?.content.toString(), 'a');
  });

  test('more than 30 % or 50 at once waits for the user', async (t) => {
    const ids = [...letters].map((letter) => `id_${letter}`);
    const drive = await startDriveSync(core, { files: characters(...ids) });
    t.after(drive.close);
    const { one, person } = drive;
    for (const id of ids.slice(0, 4)) person.trash(drive.idAt(`Characters/${id}`));
    const { held } = await one.round();
    assert.deepEqual([held?.where, held?.deletions], ['here', 4]);
    assert.notEqual(one.disk.read(pathOf('id_a')), undefined);
    await one.sync.pullAll(one.project, { force: true });
    assert.equal(one.disk.read(pathOf('id_a')), undefined);
    assert.equal(one.disk.recycled().length, 4);
  });

  test('a page token that expired, while something was edited and trashed', async (t) => {
    const drive = await startDriveSync(core, { installs: 2, files: files() });
    t.after(drive.close);
    const { one, two, server, person } = drive;
    for (const status of [400, 410] as const) {
      server.expiredTokenStatus = status;
      server.loseTokens();
      person.edit(drive.idAt('sub/a.txt'), `after ${status}`);
      const gone = status === 400 ? 'sub/b.txt' : 'sub/c.txt';
      person.trash(drive.idAt(gone));
      await drive.settle();
      for (const { disk } of [one, two])
        assert.deepEqual([disk.read('sub/a.txt'), disk.read(gone)], [`after ${status}`, undefined]);
    }
    assert.equal(two.disk.recycled().length, 2);
  });
});
