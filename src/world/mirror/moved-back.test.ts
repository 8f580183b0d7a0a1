import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync } from 'node:fs';
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

    test('a folder that was copied, and deleted at its old place later, keeps its entity and what it was', async () => {
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'cleo', name: 'Cleo' } });
      await core.call('PUT', '/api/entity/character/cleo', { body: { name: 'Cleo Lind' } });
      const at = (name: string) => join(core.contentDir, 'Characters', name);
      cpSync(at('cleo'), at('Cleo (new)'), { recursive: true });
      await look('Characters/Cleo (new)');
      rmSync(at('cleo'), { recursive: true });
      await look('Characters/cleo');
      const cleo = await core.call<{ name: string }>('GET', '/api/entity/character/cleo');
      assert.deepEqual([cleo.status, cleo.body.name], [200, 'Cleo Lind']);
      const revisions = await core.call<{ total: number }>('GET', '/api/entity/character/cleo/revisions');
      assert.equal(revisions.body.total, 3);
      const bin = await core.call<{ total: number }>('GET', '/api/recycle-bin');
      assert.equal(bin.body.total, 0);
    });
  });
});
