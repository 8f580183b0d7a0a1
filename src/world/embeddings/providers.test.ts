import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { type LlmServer, startLlmServer } from '../../../test/support/llm/server.ts';
import { until } from '../../../test/support/until.ts';
import { createWordEmbedder } from '../../../test/support/word-embedder.ts';

interface Status {
  use: string;
  model: string | null;
  dimensions: number | null;
  index: { state: string } | null;
  passages: number;
  providers: { name: string; costs_credits: boolean }[];
}

const embedder = createWordEmbedder();
let llm: LlmServer;
let core: TestCore;
before(async () => {
  llm = await startLlmServer();
  const env = { AI_BASE_URL: llm.url, AI_MODEL: 'scripted', AI_EMBEDDING_MODEL: 'scripted-embed' };
  core = await startCore({ models: { embedder }, env });
  const body = { entity_id: 'ines', name: 'Ines', markdown_body: 'She lights the lamp of the tower.' };
  assert.equal((await core.call('POST', '/api/entity/character', { body })).status, 201);
});
after(async () => {
  await core.close();
  await llm.close();
});

const status = async () => (await core.call<Status>('GET', '/api/ai/embeddings')).body;
const search = (token?: string) =>
  core.call<{ index: { state: string }; groups: { entities: { entity_id: string }[] }[] }>(
    'GET',
    '/api/search?q=lamp+of+the+tower&mode=semantic',
    token === undefined ? {} : { token },
  );
const ready = () => until(async () => (await search()).body.index.state === 'ready', status);
const choose = (body: object) => core.call<Status>('PUT', '/api/ai/embeddings', { body });

test('a configured provider gets nothing until an admin chooses it', async () => {
  await ready();
  const { use, model, providers } = await status();
  assert.deepEqual([use, model], ['local', 'words']);
  assert.deepEqual(
    providers.map(({ name, costs_credits }) => [name, costs_credits]),
    [['installation', true]],
  );
  assert.equal(llm.requests.length, 0);
});

test('the chosen provider gets the passages, another model means all anew, and viewers spend no credits', async () => {
  const token = await core.registerViewer();
  assert.equal((await choose({ use: 'provider', provider: 'installation' })).status, 200);
  await ready();
  const chosen = await status();
  assert.deepEqual([chosen.model, chosen.dimensions], ['installation/scripted-embed', 64]);
  assert.ok(llm.requests.every(({ path }) => path.endsWith('/embeddings')));
  assert.equal((await search()).body.groups[0]?.entities[0]?.entity_id, 'ines');
  assert.equal((await search(token)).status, 403);

  assert.equal((await choose({ use: 'local' })).status, 200);
  const asked = llm.requests.length;
  await ready();
  const { model, dimensions, passages } = await status();
  assert.deepEqual([model, dimensions, passages], ['words', 512, chosen.passages]);
  assert.equal((await search(token)).status, 200);
  assert.equal(llm.requests.length, asked);
});

test('with AI=off nothing is compared by meaning, and words are found as always', async (t) => {
  const off = createWordEmbedder();
  const quiet = await startCore({ models: { embedder: off }, env: { AI: 'off' } });
  t.after(() => quiet.close());
  const body = { entity_id: 'ines', name: 'Ines', markdown_body: 'She lights the lamp.' };
  await quiet.call('POST', '/api/entity/character', { body });
  for (const mode of ['semantic', 'hybrid']) {
    const refused = await quiet.call('GET', `/api/search?q=lamp&mode=${mode}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'ai_off']);
  }
  const said = await quiet.call('POST', '/api/ai/said-before', { body: { text: 'the lamp' } });
  assert.deepEqual([said.status, said.body.code], [409, 'ai_off']);
  assert.equal((await quiet.call('GET', '/api/entity/character/ines/similar')).status, 409);
  assert.equal((await quiet.call('GET', '/api/ai/embeddings')).status, 409);
  assert.equal((await quiet.call<{ total: number }>('GET', '/api/search?q=lamp')).body.total, 1);
  const health = await quiet.call('GET', '/api/services/health');
  assert.equal(health.body.vector_store, 'not_configured');
  assert.deepEqual(off.computed, []);
});
