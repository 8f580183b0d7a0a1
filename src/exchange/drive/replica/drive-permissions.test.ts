import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  character,
  characters,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

describe('what the account may not do in the drive', () => {
  test('a file that must not be removed does not stop the others', async (t) => {
    const drive = await startDriveSync(core, {
      files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' },
    });
    t.after(drive.close);
    const { one, server } = drive;
    server.setCanEdit(drive.idAt('a.txt'), false);
    await drive.settle();
    one.disk.remove('a.txt');
    one.disk.write('b.txt', 'changed');
    const { error, left } = await one.round();
    assert.equal(error, null);
    assert.deepEqual(
      left.map(({ key }) => key),
      ['a.txt'],
    );
    assert.deepEqual([drive.textAt('a.txt'), drive.textAt('b.txt')], ['a', 'changed']);
  });

  test('an entity whose folder must not be moved does not stop the others, and stays in both places', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada', 'bo') });
    t.after(drive.close);
    const { one, server } = drive;
    server.setCanEdit(drive.idAt('Characters/ada'), false);
    await drive.settle();
    one.disk.move('Characters/ada', 'Characters/here');
    one.disk.write('a.txt', 'a');
    const { error, left } = await one.round();
    assert.equal(error, null);
    assert.deepEqual(
      left.map(({ key }) => key),
      ['character/ada'],
    );
    assert.deepEqual(drive.paths(), [pathOf('ada'), pathOf('bo'), 'a.txt']);
    assert.equal(one.disk.read(pathOf('ada', 'here')), character('ada'));
    server.setCanEdit(drive.idAt('Characters/ada'), null);
    await one.sync.pushAll(one.project);
    assert.deepEqual(drive.paths(), [pathOf('bo'), pathOf('ada', 'here'), 'a.txt']);
  });

  test('a folder in which nothing may be made does not stop the others', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada', 'bo') });
    t.after(drive.close);
    const { one, server } = drive;
    server.setCanEdit(drive.idAt('Characters'), false);
    await drive.settle();
    one.disk.write(pathOf('di'), character('di'));
    one.disk.write('Characters/di/images/face.txt', 'face');
    one.disk.write('a.txt', 'a');
    const { error, left } = await one.round();
    assert.equal(error, null);
    assert.deepEqual(left.map(({ key }) => key).sort(), ['Characters/di/images/face.txt', 'character/di']);
    assert.equal(drive.textAt('a.txt'), 'a');
    server.setCanEdit(drive.idAt('Characters'), null);
    await one.sync.pushAll(one.project);
    assert.equal(drive.textAt(pathOf('di')), character('di'));
    assert.equal(drive.textAt('Characters/di/images/face.txt'), 'face');
  });

  test('a file that must not be fetched does not stop the others', async (t) => {
    const drive = await startDriveSync(core, { files: characters('ada') });
    t.after(drive.close);
    const { one, person, server, folderId } = drive;
    server.faults.next({ match: /alt=media/, status: 403, reason: 'cannotDownloadAbusiveFile', times: 2 });
    person.createFile(folderId, 'a.bin', 'bad bytes');
    const { error, left } = await one.round();
    assert.equal(error, null);
    assert.deepEqual(
      left.map(({ key }) => key),
      ['a.bin'],
    );
    person.createFile(folderId, 'b.txt', 'b');
    server.faults.clear();
    await drive.settle();
    assert.deepEqual([one.disk.read('a.bin'), one.disk.read('b.txt')], ['bad bytes', 'b']);
  });
});
