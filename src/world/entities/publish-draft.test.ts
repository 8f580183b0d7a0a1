import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { publishFile } from './publish-draft.ts';

let core: TestCore;
before(async () => {
  core = await startCore();
});
after(() => core.close());

const PATH = 'Characters/ada/CH_ada.md';

test('a file whose rows are stored is no news, and one whose rows are refused is', async () => {
  const [project] = core.projects.opened();
  assert.ok(project);
  const publish = (store: () => Promise<void>) =>
    publishFile(
      project,
      { path: PATH, newFolder: false },
      {
        put: async () => ({ stat: await project.files.write(PATH, 'text') }),
        store,
        putBack: async () => {},
      },
    );
  await publish(async () => {});
  assert.deepEqual(await project.ownWrites.news([PATH]), []);
  await assert.rejects(publish(() => Promise.reject(new Error('refused'))));
  assert.deepEqual(await project.ownWrites.news([PATH]), [PATH]);
});
