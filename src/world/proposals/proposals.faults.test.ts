import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createFaultySyscalls } from '../../../test/support/faulty-files.ts';
import { proposalTools } from '../../../test/support/proposals.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import { systemCalls } from '../../platform/files/syscalls.ts';
import type { Project } from '../records/scope.ts';
import type { ChangeSet } from './change-sets/require-change-set.ts';

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;
const ACCEPTED = /summary: "?Tide reader/g;

/** Dies between the first file that it puts in place and the rows of that file: nothing more is written, neither rows nor files. */
function dyingBeforeCommit(project: Project, root: string): Project {
  let [isPut, isDead] = [false, false];
  const syscalls = { ...systemCalls };
  for (const name of ['renameSync', 'linkSync', 'openSync'] as const) {
    const call = systemCalls[name] as (...args: unknown[]) => unknown;
    Object.assign(syscalls, {
      [name]: (...args: unknown[]) => {
        if (isDead) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        isPut ||= name !== 'openSync';
        return call(...args);
      },
    });
  }
  const { write } = project.database;
  return {
    ...project,
    files: createLocalFiles({ root, syscalls }),
    database: {
      ...project.database,
      async write(work, options) {
        isDead ||= isPut;
        if (isDead) throw new DatabaseError('unavailable', 'the process is gone');
        return write(work, options);
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

    test('a change set, at each step on disk and between a file and its commit', async () => {
      let number = 0;
      async function opened(): Promise<{ setId: string; ids: string[] }> {
        number += 1;
        const set = await core.changeSets.open(project, 'ada', { title: `Set ${number}`, agent: null });
        const ids = [`set_${number}_one`, `set_${number}_two`];
        for (const id of ids) {
          await tools.make(id);
          await tools.propose(id, { change_set_id: set.change_set_id, fields: { summary: 'Tide reader' } });
        }
        return { setId: set.change_set_id, ids };
      }

      async function cutShort(dying: Project, what: string): Promise<void> {
        const { setId, ids } = await opened();
        await assert.rejects(core.changeSets.accept(dying, AUTHOR, setId), what);
        await core.changesets.recover(project);
        const { body } = await core.call<ChangeSet>('GET', `/api/ai/change-sets/${setId}`);
        const isDropped = body.status === 'pending';
        for (const id of ids) {
          assert.equal(tools.textOf(id).match(ACCEPTED)?.length ?? 0, isDropped ? 0 : 1, what);
          const [newest, ...older] = await tools.revisions(id);
          assert.equal(older.length, isDropped ? 0 : 1, what);
          if (!isDropped) assert.equal(newest?.operation_id, body.operation_id, what);
        }
        assert.equal(body.counts.accepted, isDropped ? 0 : 2, what);
        const undo = await core.call('POST', `/api/operations/${body.operation_id}/undo`);
        assert.equal(undo.body.status, 'done', `${what}: ${undo.text}`);
        for (const id of ids) assert.doesNotMatch(tools.textOf(id), ACCEPTED, what);
      }

      const trace = createFaultySyscalls({ failAt: 0, failure: 'crash' });
      const filesWith = (syscalls: typeof systemCalls) =>
        createLocalFiles({ root: core.contentDir, syscalls });
      const whole = await opened();
      await core.changeSets.accept({ ...project, files: filesWith(trace.syscalls) }, AUTHOR, whole.setId);
      for (let failAt = 1; failAt <= trace.trace.length; failAt += 1) {
        const { syscalls } = createFaultySyscalls({ failAt, failure: 'crash' });
        await cutShort({ ...project, files: filesWith(syscalls) }, String(trace.trace[failAt - 1]));
      }
      await cutShort(dyingBeforeCommit(project, core.contentDir), 'between file and commit');
    });
  });
});
