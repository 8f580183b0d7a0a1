import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Answer, LlmRequest } from '../../../test/support/llm/answer.ts';
import { type LlmServer, startLlmServer } from '../../../test/support/llm/server.ts';
import { type People, type Person, startPeople } from '../../../test/support/people.ts';
import type { AiStatusReply, ProviderReply, ProviderTestReply } from './models.contract.ts';

const KEY = 'sk-of-a-writer-0123456789';

interface Listed {
  status: string;
  providers: ProviderReply[];
}

/** Answers of a model that can do everything, one for each trial. */
function able({ body, path }: LlmRequest): Answer {
  if (path.endsWith('/embeddings')) return {};
  const text = JSON.stringify(body);
  if (text.includes('report_number')) return { calls: [{ name: 'report_number', input: { number: 7 } }] };
  if (text.includes('grass')) return { text: '{"colour":"green"}' };
  if (text.includes('square')) return { text: 'Red.' };
  return { text: 'one two three four five' };
}

forEachDatabase((_name, open) => {
  describe('providers', () => {
    let people: People;
    let llm: LlmServer;
    before(async () => {
      llm = await startLlmServer();
      people = await startPeople({ open });
    });
    beforeEach(() => {
      llm.script(able);
      llm.key = null;
      llm.requests.length = 0;
    });
    after(async () => {
      await people.close();
      await llm.close();
    });

    const call = <Body = { code: string; detail: string }>(
      as: Person,
      method: string,
      path: string,
      body?: unknown,
    ) => people.call<Body>(method, `/api/ai/${path}`, { token: as.token, body });
    const input = (over: object = {}) => ({
      scope: 'user',
      kind: 'openai-compatible',
      base_url: llm.url,
      model: 'scripted-1',
      ...over,
    });
    const put = (as: Person, name: string, over: object = {}) =>
      call<ProviderReply>(as, 'PUT', `providers/${name}`, input(over));
    const list = async (as: Person) => (await call<Listed>(as, 'GET', 'providers')).body;
    const keySent = () => llm.requests.at(-1)?.headers.authorization;
    const askModels = (as: Person, name: string) =>
      call<{ models: string[] }>(as, 'GET', `providers/${name}/models`);

    test('without a provider the status says what to do, and asking is refused', async () => {
      const { editor } = people.cast;
      const { body } = await call<AiStatusReply>(editor, 'GET', 'status');
      assert.deepEqual([body.status, body.default_provider], ['not_configured', null]);
      assert.match(body.detail ?? '', /AI_BASE_URL/);
      const refused = await call(editor, 'POST', 'providers/mine/test');
      assert.deepEqual([refused.status, refused.body.code], [404, 'no_such_provider']);
    });

    test('own providers come first, the key never comes back, and others do not see them', async () => {
      const { editor, admin } = people.cast;
      const shared = await put(admin, 'shared', { scope: 'tenant', api_key: 'sk-of-the-tenant-0123' });
      assert.equal(shared.status, 200, shared.text);
      const own = await put(editor, 'mine', { api_key: KEY, embedding_model: 'scripted-embed' });
      assert.deepEqual(
        [own.body.has_api_key, own.body.is_default, own.body.costs_credits, own.body.base_url],
        [true, true, false, llm.url],
      );
      const seen = await list(editor);
      assert.equal(seen.status, 'ready');
      assert.deepEqual(
        seen.providers.map(({ name, is_default }) => [name, is_default]),
        [
          ['mine', true],
          ['shared', false],
        ],
      );
      assert.ok(!JSON.stringify([own.body, seen]).includes('sk-of'), 'a key came back');
      assert.deepEqual(
        (await list(admin)).providers.map(({ name }) => name),
        ['shared'],
      );
      assert.equal((await askModels(admin, 'mine')).status, 404);
    });

    test('a key stays until its address changes: it is never sent elsewhere', async () => {
      const { editor } = people.cast;
      await put(editor, 'kept', { api_key: KEY });
      await put(editor, 'kept', { model: 'scripted-2' });
      assert.deepEqual((await askModels(editor, 'kept')).body.models, llm.models);
      assert.equal(keySent(), `Bearer ${KEY}`);
      const moved = await put(editor, 'kept', { base_url: llm.url.replace('127.0.0.1', 'localhost') });
      assert.equal(moved.body.has_api_key, false);
      await askModels(editor, 'kept');
      assert.equal(keySent(), undefined);
      await put(editor, 'kept', { api_key: KEY });
      assert.equal((await put(editor, 'kept', { api_key: null })).body.has_api_key, false);
      assert.equal((await call(editor, 'DELETE', 'providers/kept')).status, 204);
      assert.equal((await call(editor, 'DELETE', 'providers/kept')).status, 404);
    });

    for (const kind of ['openai-compatible', 'anthropic'])
      test(`a test tries what a provider can do: ${kind}`, async () => {
        const { editor } = people.cast;
        await put(editor, 'tried', { kind, api_key: KEY, embedding_model: 'scripted-embed' });
        const { status, body, text } = await call<ProviderTestReply>(editor, 'POST', 'providers/tried/test');
        assert.equal(status, 200, text);
        assert.deepEqual([body.works, body.answer, body.error], [true, 'one two three four five', null]);
        const { embeddings, ...others } = body.capabilities;
        assert.equal(others.structured_output.native, true);
        assert.ok(
          Object.values(others).every(({ works }) => works),
          text,
        );
        assert.equal(embeddings.works, kind === 'openai-compatible');
        assert.ok(body.usage.output_tokens > 0);
        assert.equal(body.credits, 0);
      });

    test('a test says whether a schema is taken, or only asked for in words', async () => {
      const { editor } = people.cast;
      await put(editor, 'local', { model: 'scripted-local' });
      llm.script((asked) =>
        asked.body?.response_format
          ? { refuse: { status: 400, message: "'response_format.type' must be 'text'" } }
          : asked.bytes.includes('grass')
            ? { text: 'Here it is:\n```json\n{"colour":"green"}\n```' }
            : able(asked),
      );
      const { body } = await call<ProviderTestReply>(editor, 'POST', 'providers/local/test');
      const { structured_output } = body.capabilities;
      assert.deepEqual(structured_output, { works: true, detail: null, native: false });
    });

    test('a test of what does not work says why, without the key', async () => {
      const { editor } = people.cast;
      await put(editor, 'tried', { api_key: KEY });
      llm.key = 'another';
      const { status, body, text } = await call<ProviderTestReply>(editor, 'POST', 'providers/tried/test');
      assert.deepEqual([status, body.works, body.error?.code], [200, false, 'ai_refused_key']);
      assert.ok(!text.includes(KEY), text);
      assert.equal(llm.requests.length, 1);
      llm.key = null;
      llm.script(({ body: asked }) => (asked?.tools ? { text: 'I have no tools.' } : { text: 'Yes.' }));
      const partly = (await call<ProviderTestReply>(editor, 'POST', 'providers/tried/test')).body;
      assert.equal(partly.works, true);
      assert.equal(partly.capabilities.tools.detail, 'It did not call the tool');
      assert.equal(partly.capabilities.embeddings.detail, 'No model for embeddings is set');
    });

    test('what cannot be a provider is refused', async () => {
      const { editor, viewer, admin } = people.cast;
      const cases: [Person, string, object, number, string][] = [
        [editor, 'mine', { base_url: 'ftp://127.0.0.1/v1' }, 422, 'invalid_base_url'],
        [editor, 'mine', { base_url: 'http://me:secret@127.0.0.1/v1' }, 422, 'invalid_base_url'],
        [editor, 'mine', { base_url: 'http://127.0.0.1/v1?key=secret' }, 422, 'invalid_base_url'],
        [editor, 'mine', { base_url: 'http://10.0.0.1/v1' }, 422, 'invalid_base_url'],
        [editor, 'mine', { base_url: 'http://169.254.169.254/v1' }, 422, 'invalid_base_url'],
        [editor, 'installation', {}, 422, 'invalid_provider'],
        [editor, 'shared', { scope: 'tenant' }, 403, 'insufficient_role'],
        [viewer, 'mine', {}, 403, 'insufficient_role'],
        [admin, 'mine', { api_key: 'with\nline' }, 422, 'invalid_request'],
      ];
      for (const [as, name, over, status, code] of cases) {
        const reply = await call(as, 'PUT', `providers/${name}`, input(over));
        assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(over));
      }
      assert.equal((await call(editor, 'DELETE', 'providers/shared?scope=tenant')).status, 403);
    });

    test('nobody has more than twenty', async () => {
      const { owner } = people.cast;
      const names = Array.from({ length: 21 }, (_, at) => `provider-${at}`);
      const replies = [];
      for (const name of names) replies.push(await call(owner, 'PUT', `providers/${name}`, input()));
      assert.deepEqual([replies.at(-2)?.status, replies.at(-1)?.body.code], [200, 'too_many_providers']);
      assert.equal((await put(owner, 'provider-3')).status, 200);
    });
  });
});
