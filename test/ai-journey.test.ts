import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type AgentClient, connectAgent } from './support/agent-client.ts';
import { type AiCore, startAiCore } from './support/ai.ts';
import { startAiOffCore } from './support/ai-off.ts';
import { askAsShown } from './support/ask-as-shown.ts';
import { askChat, assertShownIsSent, chatEvents, dataOf } from './support/chat.ts';
import { forEachDatabase } from './support/databases.ts';
import { listen } from './support/listen.ts';
import { startLlmServer } from './support/llm/server.ts';
import { saveFile } from './support/save-file.ts';

interface Proposal {
  proposal_id: string;
  status: string;
  provider: string;
  skills: string[];
  fields: Record<string, { after: unknown; state: string }>;
}
interface Generated {
  proposals: Proposal[];
  code?: string;
}

const MIRA = { entity_type: 'character', entity_id: 'mira' };
const FILE = 'Characters/mira/CH_mira.md';
const QUESTS = ['salt_debt', 'drowned_bell', 'last_ferry'];
const SKILL = `skill_id: harbour_voice
name: Harbour voice
version: "1.0"
applies_to: [character]
prompts:
  system: Write as people of the harbour talk.
`;
const answer = (fields: object) => ({ text: JSON.stringify({ fields }) });

forEachDatabase((_name, open) => {
  describe('a writer and AI', () => {
    let core: AiCore;
    const generate = (more: object) => askAsShown<Generated>(core, '/api/ai/generate', { ...MIRA, ...more });
    const fieldsOf = async () =>
      (await core.call<{ fields: Record<string, unknown> }>('GET', '/api/entity/character/mira')).body.fields;
    before(async () => {
      core = await startAiCore({ open, content: 'templates' });
      const made = await core.call('POST', '/api/entity/character', {
        body: { entity_id: 'mira', name: 'Mira', markdown_body: 'She left the harbour.\n' },
      });
      assert.equal(made.status, 201, made.text);
    });
    after(() => core.close());

    let proposal: Proposal | undefined;

    test('lets empty fields be proposed, and sees what is sent and what it costs', async () => {
      core.llm.script(answer({ want: 'The key of the mill', need: 'A friend' }));
      const { shown, reply } = await generate({ target: { fields: ['want', 'need'] } });
      assert.equal(reply.status, 200, reply.text);
      assert.ok(shown.price > 0);
      proposal = reply.body.proposals[0];
      assert.deepEqual(
        [proposal?.fields.want?.after, proposal?.fields.need?.after],
        ['The key of the mill', 'A friend'],
      );
      assert.notEqual((await fieldsOf()).want, 'The key of the mill');
    });

    test('accepts half, undoes it, and accepts the rest', async () => {
      const decide = (how: string, body?: object) =>
        core.call<{ proposal: Proposal }>('POST', `/api/ai/proposals/${proposal?.proposal_id}/${how}`, {
          body,
        });
      const half = await decide('accept', { fields: ['want'] });
      assert.equal(half.body.proposal.status, 'partly_accepted', half.text);
      assert.equal((await fieldsOf()).want, 'The key of the mill');
      const undone = await decide('undo', { fields: ['want'] });
      assert.equal(undone.status, 200, undone.text);
      assert.notEqual((await fieldsOf()).want, 'The key of the mill');
      const rest = await decide('accept', { fields: ['need'] });
      assert.equal(rest.status, 200, rest.text);
      assert.equal((await fieldsOf()).need, 'A friend');
    });

    test('reads what of the world is disclosed as generated', async () => {
      const disclosure = await core.call('GET', '/api/ai/disclosure?format=json');
      assert.equal(disclosure.status, 200, disclosure.text);
      assert.match(disclosure.text, /"need"/);
      assert.doesNotMatch(disclosure.text, /"want"/);
      assert.match(disclosure.text, /scripted-1/);
    });

    test('changes the prompt with a skill of the project', async () => {
      saveFile(join(core.contentDir, '_Skills/harbour_voice.yml'), SKILL);
      await core.call('POST', '/api/sync/refresh-all');
      core.llm.script(answer({ want: 'The sea' }));
      const { shown, reply } = await generate({ target: { fields: ['want'] } });
      assert.match(JSON.stringify(shown.requests[0]?.messages), /Write as people of the harbour talk\./);
      assert.ok(reply.body.proposals[0]?.skills.includes('harbour_voice'), reply.text);
    });

    test('compares two providers', async (t) => {
      const second = await startLlmServer(answer({ want: 'Two' }));
      t.after(() => second.close());
      const body = { scope: 'user', kind: 'openai-compatible', base_url: second.url, model: 'scripted-2' };
      const entered = await core.call('PUT', '/api/ai/providers/second', { body });
      assert.ok(entered.status < 300, entered.text);
      core.llm.script(answer({ want: 'One' }));
      const { reply } = await generate({
        target: { fields: ['want'] },
        mode: 'compare',
        providers: ['installation', 'second'],
      });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(
        reply.body.proposals.map(({ provider, fields }) => [provider, fields.want?.after]).sort(),
        [
          ['installation', 'One'],
          ['second', 'Two'],
        ],
      );
      assert.equal((await core.call('DELETE', '/api/ai/providers/second')).status, 204);
    });

    test('asks, gets an answer with citations, and a proposal', async () => {
      const line =
        readFileSync(join(core.contentDir, FILE), 'utf8').split('\n').indexOf('She left the harbour.') + 1;
      core.llm.requests.length = 0;
      core.llm.script([
        { text: '', calls: [{ name: 'read', input: MIRA }] },
        { text: '', calls: [{ name: 'propose', input: { ...MIRA, fields: { name: 'Mira Vale' } } }] },
        { text: `She left the harbour [character/mira:${line}].` },
      ]);
      const events = await chatEvents(core, { message: 'Where is Mira? And call her Mira Vale.' });
      assertShownIsSent(events, core.llm.chats());
      const [said] = dataOf(events, 'answer') as { citations: object[] }[];
      assert.deepEqual(said?.citations, [
        {
          ...MIRA,
          name: 'Mira',
          line,
          end_line: line,
          quote: 'She left the harbour.',
          url: '/api/entity/character/mira',
          verified: true,
        },
      ]);
      const [made] = dataOf(events, 'proposal');
      assert.equal((await core.call('POST', `/api/ai/proposals/${made?.proposal_id}/accept`)).status, 200);
    });

    test('reviews three quests of an agent as one change set, takes them over and back', async (t) => {
      const agent: AgentClient = await connectAgent(await listen(core), core.adminToken, {
        name: 'quest-writer',
      });
      t.after(() => agent.close());
      const drafts = await Promise.all(
        QUESTS.map((id) =>
          agent.call<{ change_set_id: string }>('create_draft', {
            entity_type: 'quest',
            entity_id: id,
            name: id,
            about: 'Three quests',
          }),
        ),
      );
      assert.equal(new Set(drafts.map(({ change_set_id }) => change_set_id)).size, 1);
      await agent.call('finish_changes');
      const set = `/api/ai/change-sets/${drafts[0]?.change_set_id}`;
      const statuses = () =>
        Promise.all(QUESTS.map(async (id) => (await core.call('GET', `/api/entity/quest/${id}`)).status));
      assert.equal((await core.call('GET', set)).body.total, 3);
      assert.deepEqual(await statuses(), [404, 404, 404]);
      const accepted = await core.call('POST', `${set}/accept`);
      assert.equal(accepted.body.applied, 3, accepted.text);
      assert.deepEqual(await statuses(), [200, 200, 200]);
      await core.call('POST', `/api/operations/${accepted.body.operation_id}/undo`);
      assert.deepEqual(await statuses(), [404, 404, 404]);
    });
  });

  test('with AI off all of it says so politely, opens no connection, and the rest works as before', async (t) => {
    const { core, assertAskedNobody } = await startAiOffCore(t, { open, content: 'sample' });
    await core.call('POST', '/api/sync/refresh-all');
    const mira = { entity_type: 'character', entity_id: 'mira_vale' };
    for (const dry_run of [false, true]) {
      const refused = await core.call<Generated>('POST', '/api/ai/generate', {
        body: { ...mira, dry_run },
      });
      assert.deepEqual([refused.status, refused.body.code], [409, 'ai_off'], refused.text);
    }
    const said = await askChat(core, { message: 'Who is Mira Vale?' });
    assert.deepEqual(
      [said.offline, said.reason?.code, said.entities[0]?.entity_id],
      [true, 'ai_off', 'mira_vale'],
    );
    const found = await core.call('GET', '/api/search?q=mira');
    assert.ok(Number(found.body.total) > 0);
    const saved = await core.call('PUT', '/api/entity/character/mira_vale', { body: { name: 'Mira' } });
    assert.equal(saved.status, 200, saved.text);
    assertAskedNobody();
  });
});
