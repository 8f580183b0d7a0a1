import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, pushed, replicaOf, startHub } from '../../../test/support/replication.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { ConflictRecords } from '../../world/conflict-records/conflict-records.ts';
import type { Project } from '../../world/records/scope.ts';
import { changesAfter } from './changes.ts';

const NO_CONFLICTS = { changedAfter: async () => [] } as unknown as ConflictRecords;

forEachDatabase((_name, open) => {
  describe('changes after a number', () => {
    let core: TestCore;
    let project: Project;
    before(async () => {
      core = await startHub({ open });
      project = await core.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
      await replicaOf(core).push([pushed('ada', characterText('ada'))]);
    });
    after(() => core.close());

    /** The project, with `work` run once after the first read. */
    function interrupted(work: () => Promise<unknown>): Project {
      let next: (() => Promise<unknown>) | undefined = work;
      const { database } = project;
      const read: typeof database.read = async (query) => {
        const result = await database.read(query);
        const now = next;
        next = undefined;
        await now?.();
        return result;
      };
      return { ...project, database: { ...database, read } };
    }

    test('what is saved again between the reads is told of as missing, and comes next', async () => {
      const save = () => core.call('PUT', '/api/entity/character/ada', { body: { fields: { age: 5 } } });
      const everything = { after: 0, limit: 1_000, withFiles: true };
      const idsOf = (changes: Awaited<ReturnType<typeof changesAfter>>) =>
        changes.files.flatMap(({ entity_id }) => entity_id ?? []);

      const calm = await changesAfter(project, NO_CONFLICTS, everything);
      assert.deepEqual([idsOf(calm), calm.hasMore, calm.isOvertaken], [['ada'], false, false]);
      const first = await changesAfter(interrupted(save), NO_CONFLICTS, everything);
      assert.deepEqual([idsOf(first), first.hasMore, first.isOvertaken], [[], false, true]);
      const next = await changesAfter(project, NO_CONFLICTS, { ...everything, after: first.seq });
      assert.deepEqual([idsOf(next), next.isOvertaken], [['ada'], false]);
    });
  });
});
