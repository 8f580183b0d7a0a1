import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import {
  character,
  characters,
  pathOf,
  startDriveSync,
} from '../../../../test/support/drive/drive-sync-case.ts';
import { DriveError } from '../../../platform/drive/drive.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const WORLD = {
  ...characters('ada', 'bo'),
  'Characters/ada/images/face.png': '\x89PNG of ada',
  'Characters/bo/images/face.png': '\x89PNG of bo',
  'Assets/map.png': '\x89PNG of the harbour',
};

test('two installs that fill an empty folder at the same moment make nothing twice', async (t) => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const drive = await startDriveSync(core, { installs: 2 });
    t.after(drive.close);
    const { one, two, server } = drive;
    for (const { disk } of [one, two])
      for (const [path, text] of Object.entries(WORLD)) disk.write(path, text);
    two.disk.write(pathOf('bo'), character('bo', 'Nothing yet.', 'smith'));
    await Promise.all([one.look(), two.look()]);
    server.faults.next({ match: /^POST/, every: 2, delayMs: 5 * attempt });
    const rounds = [one, two].map(({ sync, project }) => sync.syncNow(project));
    assert.deepEqual(
      (await Promise.all(rounds)).map(({ error }) => error),
      [null, null],
    );
    server.faults.clear();
    const results = await drive.settle();
    assert.deepEqual(
      results.at(-1)?.left.map(({ reason }) => reason),
      [],
    );
    assert.deepEqual(drive.paths(), Object.keys(WORLD).sort());
    assert.deepEqual([...one.disk.tree()], [...two.disk.tree()]);
  }
});

test('two installs that fill a single folder at the same moment make nothing twice', async (t) => {
  for (const path of ['Assets/map.png', 'Characters/ada/images/face.png']) {
    const drive = await startDriveSync(core, { installs: 2, files: characters('ada') });
    t.after(drive.close);
    const { one, two, server } = drive;
    for (const { disk } of [one, two]) disk.write(path, '\x89PNG of both');
    await Promise.all([one.look(), two.look()]);
    server.faults.next({ match: /^POST/, every: 2, delayMs: 5 });
    await Promise.all([one, two].map(({ sync, project }) => sync.syncNow(project)));
    server.faults.clear();
    const results = await drive.settle();
    assert.deepEqual(results.at(-1)?.left, []);
    assert.deepEqual(drive.paths(), [pathOf('ada'), path].sort());
    assert.deepEqual([...one.disk.tree()], [...two.disk.tree()]);
  }
});

test('a folder whose creation was not answered stays if others have used it since', async (t) => {
  let [dies, isUnheard] = [false, false];
  const drive = await startDriveSync(core, {
    through: (real) => ({
      changes: async (pageToken) =>
        isUnheard ? { changes: [], pageToken, hasMore: false } : real.changes(pageToken),
      async createFolders(folders) {
        const made = await real.createFolders(folders);
        if (dies) throw new DriveError('unavailable', 'The process died');
        return made;
      },
    }),
  });
  t.after(drive.close);
  const { one, person, server, folderId } = drive;
  const older = person.createFolder(person.createFolder(folderId, 'Elsewhere'), 'Characters');
  server.clockOffsetMs += 1_000;
  await drive.settle();
  one.disk.write(pathOf('ada'), character('ada'));
  [dies, isUnheard] = [true, true];
  assert.equal((await one.round()).error?.code, 'unreachable');
  dies = false;
  const made = drive.idAt('Characters');
  const notes = person.createFile(made, 'notes.txt', 'Of a person.');
  person.move(older, folderId);
  await one.round();
  isUnheard = false;
  await drive.settle();
  assert.deepEqual(
    [made, notes].map((id) => server.file(id)?.trashedItself),
    [false, false],
  );
  assert.equal(one.disk.read('Characters_2/notes.txt'), 'Of a person.');
  assert.equal(one.disk.read(pathOf('ada')), character('ada'));
});
