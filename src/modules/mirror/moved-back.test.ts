import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Project } from '../records/scope.ts';

forEachDatabase((_name, open) => {
  describe('folders that change places, and back before both were looked at', () => {
    let core: TestCore;
    let project: Project;
    before(async () => {
      core = await startCore({ open });
      project = core.projects.opened()[0] as Project;
      await core.mirror.whenSettled(project);
      for (const id of ['ada', 'bo'])
        await core.call('POST', '/api/entity/character', { body: { entity_id: id, name: id } });
    });
    after(() => core.close());

    const swap = () => {
      const at = (name: string) => join(core.contentDir, 'Characters', name);
      renameSync(at('ada'), at('aside'));
      renameSync(at('bo'), at('ada'));
      renameSync(at('aside'), at('bo'));
    };
    const look = (...paths: string[]) => core.mirror.sync(project, { kind: 'paths', paths });
    const statusOf = async (id: string) => (await core.call('GET', `/api/entity/character/${id}`)).status;

    test('keep their entities', async () => {
      swap();
      await look('Characters/ada');
      swap();
      await look('Characters/ada', 'Characters/bo');
      assert.deepEqual([await statusOf('ada'), await statusOf('bo')], [200, 200]);
      const { status, deleted } = await core.mirror.sync(project, { kind: 'full' });
      assert.deepEqual([status, deleted], ['completed', 0]);
      assert.deepEqual([await statusOf('ada'), await statusOf('bo')], [200, 200]);
    });
  });
});
