import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
