import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startAiOffCore } from './support/ai-off.ts';
import { startLlmServer } from './support/llm/server.ts';
import { sampleRequest } from './support/sample-request.ts';
import { startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';
import { unzipped } from './support/zip.ts';

const INSTALLATION_KEY = 'sk-installation-key-to-look-for';
const OWN_KEY = 'sk-own-key-to-look-for-012345';

test('with AI=off no route that could ask a model opens a connection', async (t) => {
  const { core, assertAskedNobody } = await startAiOffCore(t);
  const asking = core.contracts.filter(({ path }) => path.startsWith('/api/ai/'));
  assert.ok(asking.length >= 6);
  for (const contract of asking) {
    const reply = await core.app.inject(sampleRequest(contract, { token: core.adminToken }));
    assert.notEqual(reply.statusCode, 500, `${contract.name}: ${reply.body}`);
  }
  for (const [method, path] of [
    ['PUT', 'providers/mine'],
    ['POST', 'providers/installation/test'],
    ['GET', 'providers/installation/models'],
  ] as const) {
    const body = {
      scope: 'user',
      kind: 'openai-compatible',
      base_url: 'http://models.example/v1',
      model: 'm',
    };
    const reply = await core.call(method, `/api/ai/${path}`, method === 'PUT' ? { body } : {});
    assert.deepEqual([reply.status, reply.body.code], [409, 'ai_off'], `${method} ${path}`);
  }
  const { body } = await core.call('GET', '/api/ai/status');
  assert.equal(body.status, 'off');
  await core.call('GET', '/api/services/health');
  assertAskedNobody();
});

test('keys appear in no reply, export, log, output or file, also when a provider repeats them, and in a crash', async (t) => {
  const llm = await startLlmServer();
  llm.key = 'none of them';
  const dataDir = mkdtempSync(join(tmpdir(), 'canonry-ai-keys-'));
  t.after(async () => {
    await llm.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const service = await startServiceProcess({
    NODE_OPTIONS: `--import=${new URL('./support/crashing.ts', import.meta.url)}`,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    AI_BASE_URL: llm.url,
    AI_MODEL: 'scripted-1',
    AI_API_KEY: INSTALLATION_KEY,
  });
  t.after(() => service.end('SIGKILL'));
  const replies: string[] = [];
  let token = '';
  const say = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(service.url + path, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    replies.push(`${method} ${path} ${response.status} ${text}`);
    return text;
  };
  const user = { email: 'mara@example.com', password: 'correct horse battery' };
  token = JSON.parse(await say('POST', '/api/auth/register', user)).access_token;
  const provider = { scope: 'user', kind: 'anthropic', base_url: llm.url, model: 'm', api_key: OWN_KEY };
  await say('PUT', '/api/ai/providers/mine', provider);
  await say('PUT', '/api/ai/providers/mine', { ...provider, kind: 'wrong' });
  for (const name of ['mine', 'installation']) {
    assert.match(await say('POST', `/api/ai/providers/${name}/test`, {}), /ai_refused_key/);
    assert.match(await say('GET', `/api/ai/providers/${name}/models`), /ai_refused_key/);
  }
  for (const path of ['/api/ai/providers', '/api/ai/status', '/api/services/health']) await say('GET', path);
  await say('GET', '/api/services/logs/backend-api?lines=5000');
  await say('POST', '/api/entity/character', { entity_id: 'mira', name: 'Mira Voss' });
  assert.match(await say('POST', '/api/markdown/export/character/mira'), /Mira Voss/);
  const archive = await fetch(`${service.url}/api/export/archive`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const exported = Object.values(await unzipped(Buffer.from(await archive.arrayBuffer())));
  assert.ok(exported.some((text) => text.includes('Mira Voss')));
  const sent = llm.requests.map(({ headers }) => JSON.stringify(headers)).join();
  assert.ok(sent.includes(OWN_KEY) && sent.includes(INSTALLATION_KEY), 'the provider has heard both');
  // It crashes while it asks, with both keys in its memory.
  llm.key = null;
  llm.script({ silent: 'at_once' });
  const cut = assert.rejects(say('POST', '/api/ai/providers/mine/test', {}), /fetch failed/);
  await until(() => llm.open() === 1);
  const ended = once(service.process, 'close');
  service.process.kill('SIGUSR2');
  await Promise.all([cut, ended]);
  assert.match(service.output(), /crashed by a test/);
  const everything = [...replies, ...exported, service.output(), ...textsBelow(dataDir)];
  for (const text of everything)
    for (const key of [OWN_KEY, INSTALLATION_KEY])
      assert.ok(!text.includes(key), text.slice(Math.max(0, text.indexOf(key) - 300)).slice(0, 600));
});

const textsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
