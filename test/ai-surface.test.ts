import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../src/kit/clock.ts';
import { createAiClient } from '../src/remote/ai-client.ts';
import { createTurns } from '../src/service/inference/turns.ts';
import { type AiCore, startAiCore } from './support/ai.ts';
import { SERVICE_TOKEN, startAiSurface } from './support/ai-surface.ts';
import { until } from './support/until.ts';

const NEVER = new AbortController().signal;

let surface: Awaited<ReturnType<typeof startAiSurface>>;
let core: AiCore;
before(async () => {
  surface = await startAiSurface();
  core = await startAiCore({ env: { AI_URL: surface.url, SERVICE_TOKEN } });
});
after(async () => {
  await core.close();
  await surface.close();
});

test('a core asks models by the AI surface', async () => {
  core.llm.script({ text: 'one two three' });
  const { body } = await core.call('POST', '/api/ai/providers/installation/test', { body: {} });
  assert.deepEqual([body.works, body.answer], [true, 'one two three']);
  const { address } = await core.models.pick({
    tenantId: 'local',
    projectId: 'default',
    userId: 'mara',
    plan: 'enterprise',
  });
  assert.equal(core.llm.requests[0]?.headers.authorization, `Bearer ${address.apiKey}`);
});

test('its state is part of the health of the services, and it tells its own', async () => {
  const health = await core.call('GET', '/api/services/health');
  assert.equal(health.body.ai_service, 'connected');
  const own = (await (await fetch(`${surface.url}/health`)).json()) as Record<string, unknown>;
  assert.deepEqual([own.status, own.cloud_mode, typeof own.gpu_available], ['healthy', false, 'boolean']);
  for (const [path, status] of [
    ['livez', 'alive'],
    ['readyz', 'ready'],
  ])
    assert.deepEqual(await (await fetch(`${surface.url}/${path}`)).json(), { status });
});

test('in the cloud it needs the shared token, and no database of its own', async (t) => {
  const cloud = await startAiSurface({}, { DEPLOYMENT: 'cloud' });
  t.after(() => cloud.close());
  const { cloud_mode: inCloud } = (await (await fetch(`${cloud.url}/health`)).json()) as Record<
    string,
    unknown
  >;
  assert.equal(inCloud, true);
  await assert.rejects(startAiSurface({}, { SERVICE_TOKEN: '' }), /SERVICE_TOKEN/);
});

test('only other surfaces may ask it', async () => {
  for (const path of ['chat', 'embed', 'models', 'vram-pressure']) {
    const reply = await fetch(`${surface.url}/internal/ai/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(reply.status, 401, path);
  }
});

const press = async (body: object) => {
  const reply = await fetch(`${surface.url}/internal/ai/vram-pressure`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SERVICE_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as { max_concurrent: number; until: string | null };
};

test('short graphics memory lowers what it does at once, never to nothing, and only for a while', async () => {
  assert.equal((await press({ level: 'high' })).max_concurrent, 8);
  // A report to a core is heard here too.
  await core.call('POST', '/api/asset-queue/vram-pressure', { body: { level: 'critical' } });
  assert.equal(core.warnings.length, 0);
  const critical = await press({ level: 'critical', duration_seconds: 1 });
  assert.equal(critical.max_concurrent, 1);
  assert.ok(critical.until);
  assert.deepEqual(await press({ level: 'normal' }), { max_concurrent: 32, until: null });
});

test('while memory is short one request waits for another, until its turn or the end of the lease', async () => {
  const llm = createAiClient({ url: surface.url, serviceToken: SERVICE_TOKEN, entered: true });
  const { promise, resolve: answerNow } = Promise.withResolvers<void>();
  core.llm.script({ after: promise });
  core.llm.requests.length = 0;
  const ask = async () => {
    const messages = [{ role: 'user' as const, content: 'Who is Mira?' }];
    const asked = llm.chat(core.llm.address(), { messages, maxOutputTokens: 10 }, NEVER);
    for await (const event of asked) if (event.type === 'end') return event.reason;
    return null;
  };
  assert.equal((await press({ level: 'critical', duration_seconds: 600 })).max_concurrent, 1);
  const asking = [ask(), ask(), ask()];
  await until(() => core.llm.open() === 1);
  // A new request reaches the surface after the others: what is asked meanwhile would have been seen.
  await (await fetch(`${surface.url}/livez`)).text();
  assert.equal(core.llm.requests.length, 1);
  // As the last lease ends, nobody has to report anything.
  await press({ level: 'critical', duration_seconds: 1 });
  await until(() => core.llm.requests.length === 3);
  answerNow();
  assert.deepEqual(await Promise.all(asking), ['stop', 'stop', 'stop']);
});

test('whoever waits too long for a turn, or goes, gets none', async () => {
  const turns = createTurns({ atOnce: 1, clock: systemClock, patienceMs: 20 });
  const release = await turns.take(new AbortController().signal);
  await assert.rejects(turns.take(new AbortController().signal), { failure: 'busy' });
  const reason = new Error('gone');
  const stop = new AbortController();
  const waiting = turns.take(stop.signal);
  stop.abort(reason);
  await assert.rejects(waiting, reason);
  release();
  (await turns.take(new AbortController().signal))();
});
