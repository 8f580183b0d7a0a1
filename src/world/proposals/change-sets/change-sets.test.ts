import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { PROPOSAL_ORIGIN, proposalTools } from '../../../../test/support/proposals.ts';
import type { OperationReport } from '../../changesets/report.ts';
import type { ChangeSetDetails } from './change-sets.service.ts';

forEachDatabase((_name, open) => {
  describe('change sets', () => {
    let core: TestCore;
    let tools: ReturnType<typeof proposalTools>;
    before(async () => {
      core = await startCore({ open });
      tools = proposalTools(core);
    });
    after(() => core.close());

    const openSet = (title: string) =>
      core.changeSets.open(openedProject(core), 'ada', { title, agent: 'tester' });
    const get = async (id: string) =>
      (await core.call<ChangeSetDetails>('GET', `/api/ai/change-sets/${id}`)).body;
    const accept = (id: string, body?: object) =>
      core.call<OperationReport & { code?: string }>('POST', `/api/ai/change-sets/${id}/accept`, {
        ...(body && { body }),
      });
    const undo = (id: string) => core.call<OperationReport>('POST', `/api/operations/${id}/undo`);

    test('drafts that refer to each other are one operation with one undo, and a redo', async () => {
      await tools.make('host');
      const untouched = tools.textOf('host');
      const { change_set_id } = await openSet('Two guests');
      const shared = { base_version: null, change_set_id };
      await tools.propose('guest_one', {
        ...shared,
        fields: { name: 'One', parents: ['guest_two'], summary: 'Knows [[guest_two]]' },
      });
      await tools.propose('guest_two', {
        ...shared,
        fields: { name: 'Two', relationships: [], summary: 'Knows [[guest_one]]' },
      });
      await tools.propose('host', { change_set_id, fields: { summary: 'Host of [[guest_one]]' } });
      await tools.propose('host', { change_set_id, fields: { want: 'Guests' } });
      const seen = await get(change_set_id);
      assert.deepEqual([seen.status, seen.counts.pending, seen.total], ['pending', 4, 4]);
      assert.deepEqual(seen.findings, []);

      const done = await accept(change_set_id);
      assert.equal(done.status, 200, done.text);
      assert.deepEqual([done.body.kind, done.body.status, done.body.applied], ['ai', 'done', 3]);
      assert.match(tools.textOf('host'), /summary: "?Host of[\s\S]*want: "?Guests/);
      const accepted = await get(change_set_id);
      assert.deepEqual([accepted.status, accepted.operation_id], ['accepted', done.body.operation_id]);
      const [newest] = await tools.revisions('host');
      assert.deepEqual([newest?.source, newest?.operation_id], ['ai', done.body.operation_id]);
      assert.equal((await accept(change_set_id)).body.code, 'change_set_decided');

      const undone = await undo(done.body.operation_id);
      assert.equal(undone.body.status, 'done', undone.text);
      assert.equal((await get(change_set_id)).status, 'undone');
      assert.equal(tools.textOf('host'), untouched);
      assert.equal((await core.call('GET', '/api/entity/character/guest_one')).status, 404);

      assert.equal((await undo(undone.body.operation_id)).body.status, 'done');
      assert.equal((await get(change_set_id)).status, 'accepted');
      assert.match(tools.textOf('guest_one'), /guest_two/);
    });

    test('what overlaps is left out and stays open, and chosen proposals are taken alone', async () => {
      for (const id of ['first', 'second', 'third']) await tools.make(id);
      const { change_set_id } = await openSet('Three');
      const made = [];
      for (const id of ['first', 'second', 'third'])
        made.push(await tools.propose(id, { change_set_id, fields: { summary: 'Proposed' } }));
      const [one, two, three] = made;
      await tools.put('second', { fields: { summary: 'Written' } });
      const some = await accept(change_set_id, { proposals: [one?.proposal_id, two?.proposal_id] });
      assert.deepEqual([some.body.status, some.body.applied, some.body.skipped_total], ['partial', 1, 1]);
      const { counts } = await get(change_set_id);
      assert.deepEqual([counts.accepted, counts.pending], [1, 2]);
      assert.equal((await accept(change_set_id, { proposals: ['unknown'] })).status, 422);
      const rejected = await core.call('POST', `/api/ai/change-sets/${change_set_id}/reject`);
      assert.deepEqual((rejected.body.counts as Record<string, number>).rejected, 2);
      assert.doesNotMatch(tools.textOf('third'), /Proposed/);
      const late = await tools.decide(three?.proposal_id ?? '', 'accept');
      assert.deepEqual([late.status, late.body.code], [409, 'proposal_rejected']);
      const single = await tools.decide(one?.proposal_id ?? '', 'undo');
      assert.equal(single.body.proposal.status, 'undone', single.text);
    });

    test('an agent with direct writes applies at once, and it is undone like any set', async () => {
      await tools.make('direct');
      const before = tools.textOf('direct');
      const project = openedProject(core);
      const { operation } = await core.changeSets.applyNow(
        project,
        { actor: 'ada', plan: 'enterprise' },
        {
          title: 'By hand of an agent',
          agent: 'tester',
          proposals: [
            {
              entity_type: 'character',
              entity_id: 'direct',
              base_version: 1,
              fields: { summary: 'Direct' },
              markdown_body: null,
              origin: PROPOSAL_ORIGIN,
              findings: [],
            },
          ],
        },
      );
      assert.match(tools.textOf('direct'), /Direct/);
      await undo(operation.operation_id);
      assert.equal(tools.textOf('direct'), before);
    });

    test('a second creation of an entity, an unknown set and a viewer are refused', async () => {
      const { change_set_id } = await openSet('Refused');
      const fields = { name: 'Again' };
      await tools.propose('again', { base_version: null, change_set_id, fields });
      await assert.rejects(tools.propose('again', { base_version: null, change_set_id, fields }), {
        status: 409,
      });
      await assert.rejects(
        tools.propose('again_two', { base_version: null, change_set_id: 'none', fields }),
        {
          status: 404,
        },
      );
      const token = await core.registerViewer();
      const reply = await core.call('POST', `/api/ai/change-sets/${change_set_id}/accept`, { token });
      assert.equal(reply.status, 403);
    });
  });
});
