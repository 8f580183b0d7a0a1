import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type AiCore, startAiCore } from '../../../test/support/ai.ts';
import { askAsShown, assertAsShown, type Shown } from '../../../test/support/ask-as-shown.ts';
import { dataOf, eventsIn, saidIn } from '../../../test/support/chat.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type LlmServer, startLlmServer } from '../../../test/support/llm/server.ts';
import { until } from '../../../test/support/until.ts';
import type { Proposal } from '../proposals/index.ts';

interface Reply {
  proposals: Proposal[];
  failures: { provider: string; code: string }[];
  detail?: string;
  code?: string;
}

const GENERATE = '/api/ai/generate';
const BODY = '# Mira\n\n[What does she look like?]\n\nShe left the harbour.\n';
const answer = (fields: object, more: object = {}) => ({ text: JSON.stringify({ fields, ...more }) });

forEachDatabase((_name, open) => {
  describe('a generation', () => {
    let core: AiCore;
    let second: LlmServer;
    before(async () => {
      core = await startAiCore({ open, content: 'templates', env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } });
      second = await startLlmServer(answer({ want: 'The second key' }));
      await create('location', 'old_mill', 'The Old Mill', { summary: 'A mill that grinds no more' });
      await create('character', 'bo', 'Bo Tarn', {
        birth_year: 360,
        death_year: 401,
        relationships: ['mira'],
      });
      await create('character', 'mira', 'Mira Vale', { summary: 'A smith', home: 'old_mill' }, BODY);
    });
    after(async () => {
      await core.close();
      await second.close();
    });

    async function create(type: string, id: string, name: string, fields: object, body?: string) {
      const made = await core.call('POST', `/api/entity/${type}`, {
        body: { entity_id: id, name, fields, ...(body !== undefined && { markdown_body: body }) },
      });
      assert.equal(made.status, 201, made.text);
    }

    const forMira = (target: object, more: object = {}) => ({
      entity_type: 'character',
      entity_id: 'mira',
      target,
      ...more,
    });
    const ask = (body: object) => askAsShown<Reply>(core, GENERATE, body);
    const mira = async () => (await core.call('GET', '/api/entity/character/mira')).body;

    it('proposes fields from the answer, shows what it is made of, and writes nothing', async () => {
      const untouched = await mira();
      core.llm.script(
        answer({ want: 'The key of the mill', need: null, secret: 'x' }, { status: 'archived' }),
      );
      const { shown, reply } = await ask(
        forMira({ fields: ['want', 'need'] }, { instruction: 'Not too sad' }),
      );
      assert.equal(reply.status, 200, reply.text);
      const [proposal] = reply.body.proposals;
      assert.deepEqual(proposal?.fields, {
        want: { before: proposal?.fields.want?.before, after: 'The key of the mill', state: 'open' },
      });
      assert.deepEqual(
        [proposal?.kind, proposal?.provider, proposal?.model, proposal?.base_version, proposal?.instruction],
        ['generate', 'installation', 'scripted-1', 1, 'Not too sad'],
      );
      assert.ok(proposal?.findings.some(({ field, severity }) => field === 'need' && severity === 'info'));
      const dropped = proposal?.findings.filter(({ message }) => message.includes('was dropped')) ?? [];
      assert.equal(dropped.length, 2);
      assert.deepEqual(await mira(), untouched);

      const [request] = shown.requests;
      const text = request?.messages.map(({ content }) => content).join('\n') ?? '';
      for (const piece of [
        'A mill that grinds no more',
        'born 360; died 401',
        'Not too sad',
        'She left the harbour',
      ])
        assert.ok(text.includes(piece), piece);
      const refs = request?.sources.map(({ kind, ref }) => `${kind} ${ref}`) ?? [];
      for (const ref of [
        'entity location/old_mill',
        'entity character/bo',
        'canon canon',
        'instruction instruction',
      ])
        assert.ok(refs.includes(ref), ref);
      assert.ok((request?.price.most ?? 0) > (request?.price.one_round ?? 0));
    });

    it('writes placeholders and selections into the body, and leaves every other byte', async () => {
      core.llm.script({ text: JSON.stringify({ passages: { p1: 'Tall and grey.' } }) });
      const placed = await ask(forMira({ placeholders: true }));
      assert.deepEqual(
        placed.reply.body.proposals[0]?.markdown_body.map(({ before: old, after: next }) => [old, next]),
        [['[What does she look like?]\n', 'Tall and grey.\n']],
      );
      core.llm.script({ text: JSON.stringify({ passages: { p1: 'the sea' } }) });
      const selected = await ask(forMira({ selection: { text: 'the harbour' } }));
      assert.equal(selected.reply.body.proposals[0]?.markdown_body[0]?.after, 'She left the sea.\n');
    });

    it('sends what was shown or nothing to a caller who gives back the hash of a preview', async () => {
      const body = forMira({ fields: ['want'] });
      const shown = await core.call<Shown>('POST', GENERATE, { body: { ...body, dry_run: true } });
      const { prompt_hash } = shown.body;
      core.llm.script(answer({ want: 'The door of the mill' }));
      const asked = await core.call<Reply>('POST', GENERATE, { body: { ...body, prompt_hash } });
      assert.equal(asked.status, 200, asked.text);
      const [proposal] = asked.body.proposals;
      assert.equal(proposal?.prompt_hash, prompt_hash);

      const refine = `/api/ai/proposals/${proposal?.proposal_id}/refine`;
      const wish = { instruction: 'Shorter' };
      const refined = await core.call<Shown>('POST', refine, { body: { ...wish, dry_run: true } });
      const before = core.llm.chats().length;
      const changed = await core.call('PUT', '/api/entity/location/old_mill', {
        body: { fields: { summary: 'A mill that grinds again' } },
      });
      assert.equal(changed.status, 200, changed.text);
      for (const [url, stale] of [
        [GENERATE, { ...body, prompt_hash }],
        [refine, { ...wish, prompt_hash: refined.body.prompt_hash }],
      ] as const) {
        const refused = await core.call<Reply>('POST', url, { body: stale });
        assert.deepEqual([refused.status, refused.body.code], [409, 'prompt_changed'], refused.text);
      }
      assert.equal(core.llm.chats().length, before);
    });

    it('asks once more for a broken answer, and tells what is still wrong', async () => {
      core.llm.script([
        answer({ birth_year: 'soon', want: 'A key' }),
        answer({ birth_year: 380, want: 'A key' }),
      ]);
      const repaired = await ask(forMira({ fields: ['birth_year', 'want'] }));
      assert.equal(repaired.sent.length, 2);
      assert.match(JSON.stringify(repaired.sent[1]?.body), /fields.birth_year must be a number, is/);
      assert.equal(repaired.reply.body.proposals[0]?.fields.birth_year?.after, 380);

      core.llm.script(answer({ birth_year: 'soon', want: 'A key' }));
      const { reply, sent } = await ask(forMira({ fields: ['birth_year', 'want'] }));
      assert.equal(sent.length, 2);
      const [proposal] = reply.body.proposals;
      assert.deepEqual(Object.keys(proposal?.fields ?? {}), ['want']);
      assert.ok(
        proposal?.findings.some(({ field, message }) => field === 'birth_year' && /left out/.test(message)),
      );
    });

    it('tells the first of very many faults', async () => {
      const unasked = Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`unasked_${index}`, 'x']),
      );
      core.llm.script(answer({ want: 'The key of the mill', ...unasked }));
      const { reply } = await ask(forMira({ fields: ['want'] }));
      const findings = reply.body.proposals[0]?.findings ?? [];
      assert.ok(findings.length <= 101, String(findings.length));
      assert.match(findings.at(-1)?.message ?? '', /^\d+ more findings are left out$/);
    });

    it('asks once more for an answer that breaks a rule', async () => {
      core.llm.script([
        answer({ birth_year: 400, death_year: 300 }),
        answer({ birth_year: 300, death_year: 400 }),
      ]);
      const { reply, sent } = await ask(forMira({ fields: ['birth_year', 'death_year'] }));
      assert.equal(sent.length, 2);
      assert.match(JSON.stringify(sent[1]?.body), /fields.death_year/);
      assert.equal(reply.body.proposals[0]?.fields.death_year?.after, 400);
    });

    it('is refused where an answer is of no use', async () => {
      for (const [text, code] of [
        ['I would rather not.', 'unusable_answer'],
        ['{"fields": {"want": null}}', 'nothing_proposed'],
      ] as const) {
        core.llm.script({ text });
        const { reply } = await ask(forMira({ fields: ['want'] }));
        assert.deepEqual([reply.status, reply.body.code], [422, code], reply.text);
      }
      core.llm.script({ text: '', reason: 'filtered' });
      assert.equal((await ask(forMira({ fields: ['want'] }))).reply.body.code, 'answer_withheld');
    });

    it('proposes a new entity under a free id', async () => {
      core.llm.script({
        text: JSON.stringify({ name: 'Mira', fields: { want: 'Peace' }, markdown_body: '# Mira\n' }),
      });
      const { reply } = await ask({ entity_type: 'character', target: { fields: ['want'], body: true } });
      assert.equal(reply.status, 200, reply.text);
      const [proposal] = reply.body.proposals;
      assert.deepEqual([proposal?.entity_id, proposal?.base_version], ['mira_2', null]);
      assert.equal(proposal?.fields.name?.after, 'Mira');
      const accepted = await core.call('POST', `/api/ai/proposals/${proposal?.proposal_id}/accept`, {
        body: {},
      });
      assert.equal(accepted.status, 200, accepted.text);
      assert.equal((await core.call('GET', '/api/entity/character/mira_2')).body.name, 'Mira');
    });

    it('refines a proposal into another one', async () => {
      core.llm.script(answer({ want: 'The key of the mill' }));
      const first = await ask(forMira({ fields: ['want'] }));
      const parent = first.reply.body.proposals[0]?.proposal_id ?? '';
      core.llm.script(answer({ want: 'The key' }));
      const url = `/api/ai/proposals/${parent}/refine`;
      const { shown, reply } = await askAsShown<Reply>(core, url, { instruction: 'Shorter' });
      assert.equal(reply.status, 200, reply.text);
      const [refined] = reply.body.proposals;
      assert.deepEqual(
        [refined?.kind, refined?.parents, refined?.fields.want?.after],
        ['refine', [parent], 'The key'],
      );
      assert.match(shown.requests[0]?.messages[1]?.content ?? '', /The key of the mill/);
      const old = await core.call('GET', `/api/ai/proposals/${parent}`);
      assert.equal(old.body.status, 'pending');
    });

    it('compares providers side by side, and combines what they say', async () => {
      const provider = {
        scope: 'tenant',
        kind: 'openai-compatible',
        base_url: second.url,
        model: 'second-1',
      };
      assert.equal((await core.call('PUT', '/api/ai/providers/second', { body: provider })).status, 200);
      core.llm.script(answer({ want: 'The first key' }));
      const providers = ['installation', 'second'];
      const compared = await ask(forMira({ fields: ['want'] }, { mode: 'compare', providers }));
      assert.deepEqual(
        compared.reply.body.proposals.map(({ provider: name, model, credits, fields }) => [
          name,
          model,
          credits,
          fields.want?.after,
        ]),
        [
          ['installation', 'scripted-1', 1, 'The first key'],
          ['second', 'second-1', 0, 'The second key'],
        ],
      );
      assertAsShown(compared.shown, second.chats());

      core.llm.script([answer({ want: 'The first key' }), answer({ want: 'Both keys' })]);
      const { reply, sent } = await ask(forMira({ fields: ['want'] }, { mode: 'fusion', providers }));
      const [fused, ...others] = reply.body.proposals;
      assert.deepEqual(
        [fused?.kind, fused?.provider, fused?.fields.want?.after],
        ['fusion', 'installation', 'Both keys'],
      );
      assert.deepEqual(
        fused?.parents,
        others.map(({ proposal_id }) => proposal_id),
      );
      assert.match(JSON.stringify(sent.at(-1)?.body), /The first key.*The second key/);

      second.script({ refuse: { status: 401 } });
      core.llm.script(answer({ want: 'The first key' }));
      const half = await ask(forMira({ fields: ['want'] }, { mode: 'compare', providers }));
      assert.deepEqual(
        [
          half.reply.body.proposals.length,
          half.reply.body.failures.map(({ provider: name, code }) => [name, code]),
        ],
        [1, [['second', 'ai_refused_key']]],
      );
      await core.call('DELETE', '/api/ai/providers/second?scope=tenant');
    });

    it('is shaped by the skills of the project', async () => {
      await mkdir(join(core.contentDir, '_Skills'), { recursive: true });
      const skill = {
        skill_id: 'dry_wit',
        name: 'Dry wit',
        applies_to: 'character',
        prompts: { system: 'Be {{tone}}.' },
        parameters: { tone: 'dry' },
      };
      await writeFile(join(core.contentDir, '_Skills', 'dry_wit.yml'), JSON.stringify(skill));
      assert.ok((await core.call('POST', '/api/sync/refresh-all')).status < 300);
      core.llm.script(answer({ want: 'The key of the mill' }));
      const { shown, reply } = await ask(forMira({ fields: ['want'] }));
      assert.match(shown.requests[0]?.messages[0]?.content ?? '', /# Skill: Dry wit\n\nBe dry\./);
      assert.ok(reply.body.proposals[0]?.skills.includes('dry_wit'));
      const { shown: without } = await ask(forMira({ fields: ['want'] }, { skills: [] }));
      assert.deepEqual(without.requests[0]?.skills, []);
    });

    it('streams what is sent, the answer as it comes, its price and the proposal', async () => {
      core.llm.script(answer({ want: 'The key of the mill' }));
      const headers = { accept: 'text/event-stream' };
      const { text } = await core.call('POST', GENERATE, { body: forMira({ fields: ['want'] }), headers });
      const events = eventsIn(text);
      const names = events.map(({ event }) => event);
      assert.equal(names[0], 'context');
      assert.deepEqual(names.slice(-2), ['usage', 'proposal']);
      assert.ok(dataOf(events, 'delta').length > 1);
      assert.equal(saidIn(events), answer({ want: 'The key of the mill' }).text);
      const made = dataOf(events, 'proposal').at(-1) as { proposal: Proposal };
      assert.equal(made.proposal.fields.want?.after, 'The key of the mill');
      assert.deepEqual(events.at(-2)?.data, {
        provider: 'installation',
        input_tokens: 12,
        output_tokens: 7,
        credits: 1,
      });
    });

    it('ends the request to the provider when the caller goes, and stores nothing', async () => {
      core.llm.script({ ...answer({ want: 'The key of the mill' }), silent: 'later' });
      const stored = async () => (await core.call('GET', '/api/ai/proposals')).body.total;
      const before = await stored();
      const url = await core.app.listen({ host: '127.0.0.1', port: 0 });
      const leaving = new AbortController();
      const { body } = await fetch(`${url}${GENERATE}`, {
        method: 'POST',
        signal: leaving.signal,
        headers: {
          authorization: `Bearer ${core.adminToken}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify(forMira({ fields: ['want'] })),
      });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('event: delta')) text += (await reader?.read())?.value ?? '';
      assert.equal(core.llm.open(), 1);
      leaving.abort();
      await until(() => core.llm.open() === 0);
      assert.equal(await stored(), before);
    });

    it('is refused before anything is sent where the project forbids it', async () => {
      const settings = { forbidden: { character: ['want'], location: 'never' } };
      assert.equal((await core.call('PUT', '/api/ai/settings', { body: settings })).status, 200);
      const sent = core.llm.chats().length;
      for (const body of [
        forMira({ fields: ['want', 'need'] }),
        { entity_type: 'location', entity_id: 'old_mill' },
      ]) {
        const reply = await core.call('POST', GENERATE, { body });
        assert.deepEqual([reply.status, reply.body.code], [409, 'ai_forbidden'], reply.text);
      }
      assert.equal(core.llm.chats().length, sent);
      const { body } = await core.call<{ requests: { schema: object }[] }>('POST', GENERATE, {
        body: forMira({ fields: 'all' }, { dry_run: true }),
      });
      assert.ok(!JSON.stringify(body.requests[0]?.schema).includes('"want"'));
      await core.call('PUT', '/api/ai/settings', {
        body: { forbidden: { character: null, location: null } },
      });
    });

    it('says what is wrong with a wish', async () => {
      const wrong = async (body: object) => {
        const reply = await core.call('POST', GENERATE, { body });
        return `${reply.status} ${reply.body.code}`;
      };
      assert.equal(await wrong({ entity_type: 'ghost' }), '404 unknown_type');
      assert.equal(await wrong({ entity_type: 'character', entity_id: 'nobody' }), '404 no_such_entity');
      assert.equal(await wrong(forMira({ fields: ['wnat'] })), '422 invalid_target');
      assert.equal(await wrong(forMira({}, { providers: ['ghost'] })), '404 no_such_provider');
      assert.equal(await wrong(forMira({}, { mode: 'compare' })), '422 invalid_providers');
      assert.equal(await wrong(forMira({}, { skills: ['ghost'] })), '404 no_such_skill');
      assert.equal(
        await wrong(forMira({}, { instruction: '$nobody', unknown_variables: 'error' })),
        '422 unknown_variables',
      );
      const viewer = await core.registerViewer();
      assert.equal((await core.call('POST', GENERATE, { token: viewer, body: forMira({}) })).status, 403);
    });
  });
});
