import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { NewProposal, Proposal } from './proposal.ts';

interface Decided {
  proposal: Proposal;
  version: number | null;
  merged: boolean;
  code?: string;
  conflicts?: { field: string; present: string; proposed: string }[];
}

const ORIGIN: NewProposal['origin'] = {
  kind: 'generate',
  provider: 'installation',
  model: 'llama3.1:8b',
  agent: null,
  skills: ['character_writer'],
  prompt_hash: 'abc',
  instruction: 'Give her a trade',
  sources: [{ kind: 'template', ref: 'CHARACTER', label: 'Character' }],
  usage: { inputTokens: 10, outputTokens: 5 },
  credits: 1,
  parents: [],
};

forEachDatabase((_name, open) => {
  describe('proposals', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const fileOf = (id: string) => join(core.contentDir, 'Characters', id, `CH_${id}.md`);
    const textOf = (id: string) => readFileSync(fileOf(id), 'utf8');
    const make = async (id: string, body = '# Mira\n\nOne.\n\nTwo.\n\nThree.\n') => {
      const made = await core.call('POST', '/api/entity/character', {
        body: { entity_id: id, name: 'Mira', fields: { species: 'human' }, markdown_body: body },
      });
      assert.equal(made.status, 201, made.text);
    };
    const propose = (entity_id: string, more: Partial<NewProposal>) =>
      core.proposals.create(openedProject(core), 'ada', {
        entity_type: 'character',
        entity_id,
        base_version: 1,
        fields: {},
        markdown_body: null,
        origin: ORIGIN,
        findings: [],
        change_set_id: null,
        ...more,
      });
    const decide = (id: string, how: string, body?: object, headers = {}) =>
      core.call<Decided>('POST', `/api/ai/proposals/${id}/${how}`, { ...(body && { body }), headers });
    const put = (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body });
    const revisions = async (id: string) =>
      (
        await core.call<{ revisions: { version: number; source: string; operation_id: string | null }[] }>(
          'GET',
          `/api/entity/character/${id}/revisions`,
        )
      ).body.revisions;

    test('what is accepted is a save with the source ai, and the rest stays open', async () => {
      await make('mira');
      const made = await propose('mira', {
        fields: { summary: 'Tide reader', species: 'selkie' },
        markdown_body: '# Mira\n\nOne, more.\n\nTwo.\n\nThree, more.\n',
      });
      assert.equal(made.status, 'pending');
      assert.deepEqual(made.fields.species, { before: 'human', after: 'selkie', state: 'open' });
      assert.equal(made.markdown_body.length, 2);
      const before = textOf('mira');
      const half = await decide(made.proposal_id, 'accept', { fields: ['species'], hunks: ['h2'] });
      assert.equal(half.status, 200, half.text);
      assert.equal(half.body.version, 2);
      assert.equal(half.body.proposal.status, 'partly_accepted');
      assert.equal(
        textOf('mira'),
        before.replace('species: human', 'species: selkie').replace('Three.', 'Three, more.'),
      );
      const [newest] = await revisions('mira');
      assert.deepEqual([newest?.source, newest?.operation_id], ['ai', made.proposal_id]);
      const rest = await decide(made.proposal_id, 'accept');
      assert.equal(rest.body.proposal.status, 'accepted');
      assert.equal(rest.body.version, 3);
      const again = await decide(made.proposal_id, 'accept');
      assert.deepEqual([again.status, again.body.version], [200, null]);
      assert.equal((await revisions('mira')).length, 3);
    });

    test('it is merged with what was written since, and what overlaps is refused with both sides', async () => {
      await make('ben');
      const made = await propose('ben', {
        fields: { summary: 'Tide reader', species: 'selkie' },
      });
      await put('ben', { fields: { species: 'mer' }, name: 'Ben' });
      const refused = await decide(made.proposal_id, 'accept');
      assert.equal(refused.status, 409, refused.text);
      assert.equal(refused.body.code, 'proposal_overlaps');
      assert.deepEqual(refused.body.conflicts, [{ field: 'species', present: 'mer', proposed: 'selkie' }]);
      const merged = await decide(made.proposal_id, 'accept', { fields: ['summary'] });
      assert.deepEqual([merged.status, merged.body.merged], [200, true]);
      assert.match(textOf('ben'), /name: Ben[\s\S]*species: mer/);
      assert.equal((await decide(made.proposal_id, 'reject')).body.proposal.status, 'partly_accepted');
      assert.equal((await decide(made.proposal_id, 'accept', { fields: ['species'] })).status, 409);
    });

    test('of 20 at the same time one is applied', async () => {
      await make('many');
      const made = await propose('many', { fields: { summary: 'Tide reader' } });
      const replies = await Promise.all(Array.from({ length: 20 }, () => decide(made.proposal_id, 'accept')));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      assert.equal(replies.filter(({ body }) => body.version === 2).length, 1);
      assert.equal((await revisions('many')).length, 2);
    });

    test('a new entity is made from the parts that are accepted', async () => {
      const made = await propose('newcomer', {
        base_version: null,
        fields: { name: 'New Comer', summary: 'Guest', species: 'selkie' },
        markdown_body: 'Nobody knows.\n',
      });
      assert.equal(made.base_version, null);
      const reply = await decide(made.proposal_id, 'accept', { fields: ['summary'] });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.proposal.status, 'partly_accepted');
      assert.match(textOf('newcomer'), /name: New Comer[\s\S]*summary: "Guest"/);
      assert.doesNotMatch(textOf('newcomer'), /selkie|Nobody/);
      const rest = await decide(made.proposal_id, 'accept');
      assert.equal(rest.body.proposal.status, 'accepted');
      assert.match(textOf('newcomer'), /selkie[\s\S]*Nobody knows/);
    });

    test('an edit on disk is kept as a version, and CRLF and comments stay', async () => {
      await make('disk');
      const text = textOf('disk')
        .replace('species: human', 'species: human  # by hand')
        .replaceAll('\n', '\r\n');
      writeFileSync(fileOf('disk'), text);
      const made = await propose('disk', { fields: { summary: 'Tide reader' } });
      const reply = await decide(made.proposal_id, 'accept');
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.version, 3);
      assert.equal(textOf('disk').replace(/summary: .*\r\n/, ''), text.replace(/summary: .*\r\n/, ''));
      assert.match(textOf('disk'), /summary: "?Tide reader"?\r\n/);
    });

    test('the settings forbid what is accepted, also afterwards', async () => {
      await make('never');
      const made = await propose('never', { fields: { summary: 'Tide reader' } });
      const set = (forbidden: object) => core.call('PUT', '/api/ai/settings', { body: { forbidden } });
      assert.equal((await set({ character: ['summary'] })).status, 200);
      const refused = await decide(made.proposal_id, 'accept');
      assert.deepEqual([refused.status, refused.body.code], [409, 'ai_forbidden']);
      await assert.rejects(propose('never', { fields: { summary: 'Other' } }), { status: 409 });
      assert.deepEqual((await core.call('GET', '/api/ai/settings')).body.forbidden, {
        character: ['summary'],
      });
      await set({ character: null });
      assert.equal((await decide(made.proposal_id, 'accept')).status, 200);
    });

    test('lists are filtered, and what no file could hold is refused', async () => {
      await make('listed');
      const made = await propose('listed', { fields: { summary: 'Tide reader', surprise: 1 } });
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
          propose('listed', { fields }),
          (error: { status: number; extras: { code?: string } }) => {
            assert.equal(error.status, 422, JSON.stringify(fields));
            assert.equal(error.extras.code, code);
            return true;
          },
        );
    });
  });
});
