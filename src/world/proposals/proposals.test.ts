import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { proposalTools } from '../../../test/support/proposals.ts';
import type { Proposal } from './proposal.ts';

const DAY_MS = 24 * 3_600_000;

forEachDatabase((_name, open) => {
  test('what nobody accepted is removed in time, what was accepted stays', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const core = await startCore({ open, clock: { now: () => now } });
    try {
      const tools = proposalTools(core);
      await tools.make('aged');
      const propose = async (summary: string) =>
        (await tools.propose('aged', { fields: { summary } })).proposal_id;
      const [used, rejected, open] = [
        await propose('used'),
        await propose('rejected'),
        await propose('open'),
      ];
      await tools.decide(used, 'accept');
      await tools.decide(rejected, 'reject');
      const login = { email: 'admin@example.com', password: 'correct horse battery' };
      const ids = async () => {
        const { body } = await core.call<{ access_token: string }>('POST', '/api/auth/login', {
          body: login,
          token: null,
        });
        const page = await core.call<{ proposals: Proposal[] }>('GET', '/api/ai/proposals', {
          token: body.access_token,
        });
        return new Set(page.body.proposals.map(({ proposal_id }) => proposal_id));
      };
      now += 31 * DAY_MS;
      const second = await propose('second');
      assert.deepEqual(await ids(), new Set([used, open, second]));
      now += 60 * DAY_MS;
      const third = await propose('third');
      assert.deepEqual(await ids(), new Set([used, second, third]));
    } finally {
      await core.close();
    }
  });

  describe('proposals', () => {
    let core: TestCore;
    let tools: ReturnType<typeof proposalTools>;
    before(async () => {
      core = await startCore({ open });
      tools = proposalTools(core);
    });
    after(() => core.close());

    test('what is accepted is a save with the source ai, and the rest stays open', async () => {
      await tools.make('mira');
      const made = await tools.propose('mira', {
        fields: { summary: 'Tide reader', species: 'selkie' },
        markdown_body: '# Mira\n\nOne, more.\n\nTwo.\n\nThree, more.\n',
      });
      assert.equal(made.status, 'pending');
      assert.deepEqual(made.fields.species, { before: 'human', after: 'selkie', state: 'open' });
      assert.equal(made.markdown_body.length, 2);
      const before = tools.textOf('mira');
      const half = await tools.decide(made.proposal_id, 'accept', { fields: ['species'], hunks: ['h2'] });
      assert.equal(half.status, 200, half.text);
      assert.equal(half.body.version, 2);
      assert.equal(half.body.proposal.status, 'partly_accepted');
      assert.equal(
        tools.textOf('mira'),
        before.replace('species: human', 'species: selkie').replace('Three.', 'Three, more.'),
      );
      const [newest] = await tools.revisions('mira');
      assert.deepEqual([newest?.source, newest?.operation_id], ['ai', made.proposal_id]);
      const rest = await tools.decide(made.proposal_id, 'accept');
      assert.equal(rest.body.proposal.status, 'accepted');
      assert.equal(rest.body.version, 3);
      const again = await tools.decide(made.proposal_id, 'accept');
      assert.deepEqual([again.status, again.body.version], [200, null]);
      assert.equal((await tools.revisions('mira')).length, 3);
    });

    test('it is merged with what was written since, and what overlaps is refused with both sides', async () => {
      await tools.make('ben');
      const made = await tools.propose('ben', {
        fields: { summary: 'Tide reader', species: 'selkie' },
      });
      await tools.put('ben', { fields: { species: 'mer' }, name: 'Ben' });
      const refused = await tools.decide(made.proposal_id, 'accept');
      assert.equal(refused.status, 409, refused.text);
      assert.equal(refused.body.code, 'proposal_overlaps');
      assert.deepEqual(refused.body.conflicts, [{ field: 'species', present: 'mer', proposed: 'selkie' }]);
      const merged = await tools.decide(made.proposal_id, 'accept', { fields: ['summary'] });
      assert.deepEqual([merged.status, merged.body.merged], [200, true]);
      assert.match(tools.textOf('ben'), /name: Ben[\s\S]*species: mer/);
      assert.equal((await tools.decide(made.proposal_id, 'reject')).body.proposal.status, 'partly_accepted');
      assert.equal((await tools.decide(made.proposal_id, 'accept', { fields: ['species'] })).status, 409);
    });

    test('of 20 at the same time one is applied', async () => {
      await tools.make('many');
      const made = await tools.propose('many', { fields: { summary: 'Tide reader' } });
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => tools.decide(made.proposal_id, 'accept')),
      );
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      assert.equal(replies.filter(({ body }) => body.version === 2).length, 1);
      assert.equal((await tools.revisions('many')).length, 2);
    });

    test('a new entity is made from the parts that are accepted', async () => {
      const made = await tools.propose('newcomer', {
        base_version: null,
        fields: { name: 'New Comer', summary: 'Guest', species: 'selkie' },
        markdown_body: 'Nobody knows.\n',
      });
      assert.equal(made.base_version, null);
      const reply = await tools.decide(made.proposal_id, 'accept', { fields: ['summary'] });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.proposal.status, 'partly_accepted');
      assert.match(tools.textOf('newcomer'), /name: New Comer[\s\S]*summary: "Guest"/);
      assert.doesNotMatch(tools.textOf('newcomer'), /selkie|Nobody/);
      const rest = await tools.decide(made.proposal_id, 'accept');
      assert.equal(rest.body.proposal.status, 'accepted');
      assert.match(tools.textOf('newcomer'), /selkie[\s\S]*Nobody knows/);
    });

    test('an edit on disk is kept as a version, and CRLF and comments stay', async () => {
      await tools.make('disk');
      const text = tools
        .textOf('disk')
        .replace('species: human', 'species: human  # by hand')
        .replaceAll('\n', '\r\n');
      writeFileSync(tools.fileOf('disk'), text);
      const made = await tools.propose('disk', { fields: { summary: 'Tide reader' } });
      const reply = await tools.decide(made.proposal_id, 'accept');
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.version, 3);
      assert.equal(tools.textOf('disk').replace(/summary: .*\r\n/, ''), text.replace(/summary: .*\r\n/, ''));
      assert.match(tools.textOf('disk'), /summary: "?Tide reader"?\r\n/);
    });

    test('the settings forbid what is accepted, also afterwards', async () => {
      await tools.make('never');
      const made = await tools.propose('never', { fields: { summary: 'Tide reader' } });
      const set = (forbidden: object) => core.call('PUT', '/api/ai/settings', { body: { forbidden } });
      assert.equal((await set({ character: ['summary'] })).status, 200);
      const refused = await tools.decide(made.proposal_id, 'accept');
      assert.deepEqual([refused.status, refused.body.code], [409, 'ai_forbidden']);
      await assert.rejects(tools.propose('never', { fields: { summary: 'Other' } }), { status: 409 });
      assert.deepEqual((await core.call('GET', '/api/ai/settings')).body.forbidden, {
        character: ['summary'],
      });
      await set({ character: null });
      assert.equal((await tools.decide(made.proposal_id, 'accept')).status, 200);
    });

    test('lists are filtered, and what no file could hold is refused', async () => {
      await tools.make('listed');
      const made = await tools.propose('listed', { fields: { summary: 'Tide reader', surprise: 1 } });
      assert.deepEqual(
        made.findings.map(({ field, severity }) => [field, severity]),
        [['surprise', 'warning']],
      );
      const page = await core.call<{ total: number; proposals: Proposal[] }>(
        'GET',
        '/api/ai/proposals?entity_type=character&entity_id=listed&status=pending',
      );
      assert.deepEqual(
        page.body.proposals.map(({ proposal_id }) => proposal_id),
        [made.proposal_id],
      );
      for (const [fields, code] of [
        [{ entity_type: 'location' }, 'invalid_fields.entity_type'],
        [{ id: 'other' }, 'invalid_fields.id'],
        [{ name: 'two\nlines' }, undefined],
        [{ status: 'lost' }, 'invalid_status'],
        [{ species: 'human' }, 'nothing_proposed'],
      ] as const)
        await assert.rejects(
          tools.propose('listed', { fields }),
          (error: { status: number; extras: { code?: string } }) => {
            assert.equal(error.status, 422, JSON.stringify(fields));
            assert.equal(error.extras.code, code);
            return true;
          },
        );
    });

    test('one field, one hunk or all of it is taken back, and later edits stay', async () => {
      await tools.make('back');
      const before = tools.textOf('back');
      const made = await tools.propose('back', {
        fields: { summary: 'Tide reader', species: null },
        markdown_body: '# Mira\n\nOne, more.\n\nTwo.\n\nThree, more.\n',
      });
      await tools.decide(made.proposal_id, 'accept');
      assert.doesNotMatch(tools.textOf('back'), /species/);
      await tools.put('back', { name: 'Mira Vale' });
      const one = await tools.decide(made.proposal_id, 'undo', { fields: ['species'], hunks: ['h1'] });
      assert.equal(one.status, 200, one.text);
      assert.deepEqual(
        [one.body.proposal.status, one.body.proposal.fields.species?.state, one.body.version],
        ['partly_accepted', 'undone', 4],
      );
      assert.match(tools.textOf('back'), /species: "?human"?[\s\S]*One\.[\s\S]*Three, more/);
      const again = await tools.decide(made.proposal_id, 'accept', { fields: ['species'] });
      assert.deepEqual([again.status, again.body.code], [409, 'part_undone']);
      await tools.put('back', { fields: { summary: 'Tide reader and thief' } });
      const overlapping = await tools.decide(made.proposal_id, 'undo');
      assert.deepEqual([overlapping.status, overlapping.body.code], [409, 'proposal_overlaps']);
      await tools.put('back', { fields: { summary: 'Tide reader' }, name: 'Mira' });
      const all = await tools.decide(made.proposal_id, 'undo');
      assert.equal(all.body.proposal.status, 'undone', all.text);
      const lines = (text: string) => text.split('\n').sort();
      assert.deepEqual(
        lines(tools.textOf('back')).filter((line) => !/species/.test(line)),
        lines(before).filter((line) => !/species/.test(line)),
      );
    });

    test('an entity that a proposal made goes to the recycle bin, unless somebody worked on it', async () => {
      const propose = (id: string) =>
        tools.propose(id, { base_version: null, fields: { name: id, summary: 'Guest' } });
      const [kept, gone] = [await propose('kept_one'), await propose('gone_one')];
      for (const { proposal_id } of [kept, gone]) await tools.decide(proposal_id, 'accept');
      await tools.put('kept_one', { fields: { need: 'Rest' } });
      const refused = await tools.decide(kept.proposal_id, 'undo');
      assert.deepEqual([refused.status, refused.body.code], [409, 'entity_changed']);
      assert.equal((await tools.decide(kept.proposal_id, 'undo', { fields: ['summary'] })).status, 200);
      const undone = await tools.decide(gone.proposal_id, 'undo');
      assert.equal(undone.body.proposal.status, 'undone', undone.text);
      assert.equal((await core.call('GET', '/api/entity/character/gone_one')).status, 404);
    });

    test('accepting races with rejecting, and one of the two holds', async () => {
      await tools.make('race');
      const made = await tools.propose('race', { fields: { summary: 'Tide reader' } });
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          tools.decide(made.proposal_id, at % 2 === 0 ? 'accept' : 'reject'),
        ),
      );
      const isAccepted = /summary: "?Tide reader/.test(tools.textOf('race'));
      const { status } = (await core.call<Proposal>('GET', `/api/ai/proposals/${made.proposal_id}`)).body;
      assert.equal(status, isAccepted ? 'accepted' : 'rejected');
      assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200, 409]));
    });

    test('a contradiction of story time is found before it is written, with both sides', async () => {
      await tools.make('elder', { fields: { species: 'human', birth_year: 1100 } });
      await tools.make('child', { fields: { species: 'human', birth_year: 1120, parents: ['elder'] } });
      const made = await tools.propose('elder', { fields: { birth_year: 1130 } });
      assert.deepEqual(
        made.canon_findings.map(({ kind, evidence }) => [
          kind,
          evidence.map(({ entity_id }) => entity_id).sort(),
        ]),
        [['lineage', ['child', 'elder']]],
      );
      assert.deepEqual((await tools.propose('elder', { fields: { birth_year: 1090 } })).canon_findings, []);
    });

    test('If-Match holds, and a proposal follows its entity when that is renamed', async () => {
      await tools.make('old_name');
      const made = await tools.propose('old_name', { fields: { summary: 'Tide reader' } });
      const stale = await tools.decide(made.proposal_id, 'accept', undefined, { 'if-match': '"9-0"' });
      assert.equal(stale.status, 412);
      const names = { entity_type: 'character', old_id: 'old_name', new_id: 'new_name' };
      await core.call('POST', '/api/rename-entity', { body: names });
      const reply = await tools.decide(made.proposal_id, 'accept');
      assert.deepEqual([reply.status, reply.body.proposal.entity_id], [200, 'new_name'], reply.text);
      assert.match(tools.textOf('new_name'), /Tide reader/);
    });

    test('an id that was taken meanwhile is refused, and nothing is lost', async () => {
      const made = await tools.propose('taken', { base_version: null, fields: { name: 'Proposed' } });
      await tools.make('taken');
      const refused = await tools.decide(made.proposal_id, 'accept');
      assert.deepEqual([refused.status, refused.body.code], [409, 'entity_exists']);
      const { status } = (await core.call<Proposal>('GET', `/api/ai/proposals/${made.proposal_id}`)).body;
      assert.equal(status, 'pending');
    });
  });
});
