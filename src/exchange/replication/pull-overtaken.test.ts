import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, pathOf, pushed, replicaOf, startHub } from '../../../test/support/replication.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { systemClock } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { ConflictRecords } from '../../world/conflict-records/conflict-records.ts';
import type { TemplateRegistry } from '../../world/definitions/registry/registry.ts';
import type { Project } from '../../world/records/scope.ts';
import { createCursors } from './cursors.ts';
import { createPull } from './pull.service.ts';

forEachDatabase((_name, open) => {
  describe('what changes while a page is read', () => {
    let core: TestCore;
    let project: Project;
    let replica: ReturnType<typeof replicaOf>;
    before(async () => {
      core = await startHub({ open });
      project = await core.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
      replica = replicaOf(core);
    });
    after(() => core.close());

    /** A page of changes, with `work` run after the files were read and before their entities. */
    function pullWhile(cursor: string | undefined, work: () => Promise<unknown>) {
      const conflicts = { changedAfter: () => work().then(() => []) } as unknown as ConflictRecords;
      const templates = { of: async () => ({ types: new Map() }) } as unknown as TemplateRegistry;
      const cursors = createCursors({ clock: systemClock });
      const pull = createPull({ templates, conflicts, cursors, clock: systemClock });
      return pull(project, { cursor, limit: 1_000, files: true });
    }

    test('an entity that moves is told of at its new place alone, whatever lies at the old one by then', async () => {
      await replica.push([pushed('ada', characterText('ada'))]);
      const body = { entity_type: 'character', old_id: 'ada', new_id: 'ida' };
      const page = await pullWhile(undefined, async () => {
        assert.equal((await core.call('POST', '/api/rename-entity', { body })).status, 200);
        replica.write(pathOf('ada'), 'A note.\n');
      });
      assert.ok(!page.files?.some(({ path }) => path === pathOf('ada')));
      assert.deepEqual([page.listing, page.complete, page.has_more], [true, false, true]);
      const next = await replica.pull(`files=true&cursor=${page.cursor}`);
      assert.ok(next.entities.some(({ entity_id }) => entity_id === 'ida'));
    });

    test('an entity that is restored is not told of as a file that went', async () => {
      await replica.push([pushed('bea', characterText('bea'))]);
      const { cursor } = await replica.pullAll('files=true');
      await core.call('DELETE', '/api/entity/character/bea');
      const { body: bin } = await core.call<{ items: { item_id: string; entity_id: string }[] }>(
        'GET',
        '/api/recycle-bin',
      );
      const item = bin.items.find(({ entity_id }) => entity_id === 'bea');
      const page = await pullWhile(cursor, async () => {
        const { status } = await core.call('POST', `/api/recycle-bin/${item?.item_id}/restore`);
        assert.equal(status, 200);
      });
      assert.deepEqual([page.files, page.entities], [[], []]);
      const next = await replica.pull(`files=true&cursor=${page.cursor}`);
      assert.deepEqual(
        next.entities.map((entity) => [entity.entity_id, 'deleted' in entity]),
        [['bea', false]],
      );
    });
  });
});
