import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createFaultySyscalls } from '../../../test/support/faulty-files.ts';
import { proposalTools } from '../../../test/support/proposals.ts';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import { systemCalls } from '../../platform/files/syscalls.ts';
import type { Project } from '../records/scope.ts';

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;
const ACCEPTED = /summary: "?Tide reader/g;

/** Dies once the file is in place: nothing more is written, neither rows nor files. */
function dyingBeforeCommit(project: Project, root: string): Project {
  let isDead = false;
  const syscalls = { ...systemCalls };
  for (const name of ['renameSync', 'openSync'] as const) {
    const call = systemCalls[name] as (...args: unknown[]) => unknown;
    Object.assign(syscalls, {
      [name]: (...args: unknown[]) => {
        if (isDead) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        return call(...args);
      },
    });
  }
  return {
    ...project,
    files: createLocalFiles({ root, syscalls }),
    database: {
      ...project.database,
      async write() {
        isDead = true;
        throw new Error('the process is gone');
      },
    },
  };
}

forEachDatabase((_name, open) => {
  describe('a decision that is cut short is whole after the next try', () => {
    let core: TestCore;
    let project: Project;
    let tools: ReturnType<typeof proposalTools>;
    before(async () => {
      core = await startCore({ open });
      project = openedProject(core);
      tools = proposalTools(core);
    });
    after(() => core.close());

    const sweep = () => core.mirror.sync(project, { kind: 'full' });

    async function proposed(id: string): Promise<string> {
      await tools.make(id);
      return (await tools.propose(id, { fields: { summary: 'Tide reader' } })).proposal_id;
    }

    /** Accepted once, with one version for it, and provenance that says so. */
    async function expectOnce(entityId: string, proposalId: string, what: string): Promise<void> {
      const again = await tools.decide(proposalId, 'accept');
      assert.equal(again.status, 200, `${what}: ${again.text}`);
      assert.equal(again.body.proposal.status, 'accepted', what);
      assert.equal(tools.textOf(entityId).match(ACCEPTED)?.length, 1, what);
      assert.equal((await tools.revisions(entityId)).length, 2, what);
      const report = await sweep();
      assert.deepEqual([report.created, report.updated, report.deleted], [0, 0, 0], what);
    }

    test('accepting, at each step on disk', async () => {
      const trace = createFaultySyscalls({ failAt: 0, failure: 'crash' });
      const first = await proposed('trace');
      const traced = {
        ...project,
        files: createLocalFiles({ root: core.contentDir, syscalls: trace.syscalls }),
      };
      await core.proposals.accept(traced, AUTHOR, first);
      assert.ok(trace.trace.length > 1);
      for (let failAt = 1; failAt <= trace.trace.length; failAt += 1) {
        const id = `step_${failAt}`;
        const proposalId = await proposed(id);
        const { syscalls } = createFaultySyscalls({ failAt, failure: 'crash' });
        const files = createLocalFiles({ root: core.contentDir, syscalls });
        await core.proposals.accept({ ...project, files }, AUTHOR, proposalId).catch(() => {});
        await expectOnce(id, proposalId, String(trace.trace[failAt - 1]));
      }
    });

    test('between file and commit, also when a sweep finds the file first', async () => {
      for (const isSwept of [false, true]) {
        const id = isSwept ? 'swept' : 'found';
        const proposalId = await proposed(id);
        await assert.rejects(
          core.proposals.accept(dyingBeforeCommit(project, core.contentDir), AUTHOR, proposalId),
        );
        assert.match(readFileSync(tools.fileOf(id), 'utf8'), ACCEPTED);
        if (isSwept) await sweep();
        await expectOnce(id, proposalId, id);
        const [newest] = await tools.revisions(id);
        assert.equal(newest?.source, isSwept ? 'file' : 'ai');
      }
    });

    test('a new entity, between file and commit', async () => {
      for (const isSwept of [false, true]) {
        const id = isSwept ? 'new_swept' : 'new_found';
        const made = await tools.propose(id, {
          base_version: null,
          fields: { name: id, summary: 'Tide reader' },
        });
        await assert.rejects(
          core.proposals.accept(dyingBeforeCommit(project, core.contentDir), AUTHOR, made.proposal_id),
        );
        if (isSwept) await sweep();
        const again = await tools.decide(made.proposal_id, 'accept');
        assert.equal(again.body.proposal?.status, 'accepted', again.text);
        assert.equal((await tools.revisions(id)).length, 1);
      }
    });

    test('taking back, between file and commit', async () => {
      const proposalId = await proposed('undone');
      await tools.decide(proposalId, 'accept');
      await assert.rejects(
        core.proposals.undo(dyingBeforeCommit(project, core.contentDir), AUTHOR, proposalId),
      );
      const again = await tools.decide(proposalId, 'undo');
      assert.equal(again.body.proposal?.status, 'undone', again.text);
      assert.equal((await tools.revisions('undone')).length, 3);
    });

    test('a change set, between a file and its commit', async () => {
      const { change_set_id } = await core.changeSets.open(project, 'ada', {
        title: 'Cut short',
        agent: null,
      });
      for (const id of ['set_one', 'set_two']) {
        await tools.make(id);
        await tools.propose(id, { change_set_id, fields: { summary: 'Tide reader' } });
      }
      // The plan is stored; the second transaction that touches an entity fails.
      let commits = 0;
      const failing: Project = {
        ...project,
        database: {
          ...project.database,
          write: (work, options) =>
            project.database.write(async (db) => {
              const result = await work(db as never);
              if (typeof result === 'object' && result !== null && 'row' in result && ++commits === 2)
                throw Object.assign(new Error('EIO'), { code: 'EIO' });
              return result as never;
            }, options),
        },
      };
      await core.changeSets.accept(failing, AUTHOR, change_set_id).catch(() => {});
      const page = await core.call<{ operations: { operation_id: string }[] }>(
        'GET',
        '/api/operations/history',
      );
      await core.changesets.recover(project);
      for (const id of ['set_one', 'set_two']) assert.equal(tools.textOf(id).match(ACCEPTED)?.length, 1, id);
      const set = await core.call<{ status: string; operation_id: string }>(
        'GET',
        `/api/ai/change-sets/${change_set_id}`,
      );
      assert.equal(set.body.status, 'accepted', set.text);
      assert.equal(page.body.operations[0]?.operation_id, set.body.operation_id);
    });
  });
});
