import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type AiCore, startAiCore } from '../../../test/support/ai.ts';
import { createMapLedger } from '../../../test/support/credit-ledger.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { creditsDeducted } from '../../kit/credits.events.ts';
import type { AiCaller, ModelSession } from './models.ts';

const caller: AiCaller = { tenantId: 'local', projectId: 'default', userId: 'mira', plan: 'enterprise' };
const ask = { messages: [{ role: 'user' as const, content: 'Who is Mira?' }], maxOutputTokens: 100 };

let core: AiCore;
let told: { amount: number; remaining: number; operation: string }[] = [];
before(async () => {
  core = await startAiCore();
  core.bus.on(creditsDeducted, ({ amount, remaining, operation }) => {
    told.push({ amount, remaining, operation });
  });
});
beforeEach(() => {
  told = [];
});
after(() => core.close());

async function textOf(session: ModelSession): Promise<string> {
  let text = '';
  for await (const event of session.chat(ask)) if (event.type === 'delta') text += event.text;
  return text;
}

test('what costs more than there is asks nobody; a long work keeps its credits; a killed one gives them back', async (t) => {
  const ledger = createMapLedger({ leaseMs: 400, clock: systemClock });
  const counted = await startAiCore({ models: { credits: ledger.credits }, env: { AI_AT_ONCE: '1' } });
  t.after(() => counted.close());
  const local = { ...caller, tenantId: 'one' };
  const provider = await counted.models.pick(local);
  const signal = new AbortController().signal;
  const spending = (id: string, mostTokens: number) => ({
    provider,
    mostTokens,
    signal,
    operation: { id, kind: 'ai_generate' },
  });
  await assert.rejects(counted.models.spend(local, spending('a', 100_001), textOf), {
    status: 402,
    extras: {
      code: 'insufficient_credits',
      body: { balance: 100, needed: 101, available: 100, upgrade_url: '/api/billing/checkout' },
    },
  });
  assert.equal(counted.llm.requests.length, 0);
  // Longer than the lease, so that without a renewal nothing could be charged.
  const began = performance.now();
  const long = counted.models.spend(local, spending('b', 5_000), async (session) => {
    await until(() => performance.now() - began > 1_200);
    return textOf(session);
  });
  // There is one turn: whoever goes while waiting gives the reservation back.
  const stop = new AbortController();
  const waiting = counted.models.spend(local, { ...spending('c', 5_000), signal: stop.signal }, textOf);
  stop.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  assert.equal((await long).credits, 1);
  assert.equal(await ledger.available(), 99);
  // As a process leaves it that is killed between reserving and settling.
  await ledger.credits.reserve({ tenantId: 'one', userId: 'mira' }, 50, { id: 'd', kind: 'ai_generate' });
  assert.equal(await ledger.available(), 49);
  await until(async () => (await ledger.available()) === 99);
});

test('whoever waits too long for a turn is told when to come again, and pays nothing', async (t) => {
  const ledger = createMapLedger();
  const busy = await startAiCore({
    env: { AI_AT_ONCE: '1' },
    models: { credits: ledger.credits, patienceMs: 50 },
  });
  t.after(() => busy.close());
  const { promise, resolve: answerNow } = Promise.withResolvers<void>();
  busy.llm.script({ text: 'Yes.', after: promise });
  const one = { ...caller, tenantId: 'one' };
  const spendAs = async (as: AiCaller, id: string) => {
    const provider = await busy.models.pick(as);
    const operation = { id, kind: 'ai_generate' };
    const { signal } = new AbortController();
    return busy.models.spend(as, { provider, operation, mostTokens: 5_000, signal }, textOf);
  };
  const first = spendAs(one, 'a');
  await until(() => busy.llm.requests.length === 1);
  const headers = { 'retry-after': '5' };
  const tooMany = { status: 429, extras: { code: 'too_much_at_once', headers } };
  await assert.rejects(spendAs(one, 'b'), tooMany);
  const allTaken = { status: 503, extras: { code: 'busy', headers } };
  await assert.rejects(spendAs({ ...caller, tenantId: 'two' }, 'c'), allTaken);
  const reply = await busy.call('POST', '/api/ai/providers/installation/test', { body: {} });
  assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '5'], reply.text);
  assert.equal(await ledger.available(), 95);
  assert.equal(busy.llm.requests.length, 1);
  answerNow();
  assert.equal((await first).result, 'Yes.');
  assert.equal((await spendAs(one, 'd')).result, 'Yes.');
  assert.equal(await ledger.available(), 98);
});

const spend = async <Result>(
  work: (session: ModelSession) => Promise<Result>,
  { mostTokens = 5_000, signal = new AbortController().signal } = {},
) => {
  const provider = await core.models.pick(caller);
  const operation = { id: `test-${Math.random()}`, kind: 'ai_generate' };
  return core.models.spend(caller, { provider, operation, mostTokens, signal }, work);
};

test('an answer costs what it took, rounded up, and the tenant hears of it', async () => {
  core.llm.script({ text: 'A smuggler.', usage: { input: 1_900, output: 101 } });
  assert.deepEqual(await spend(textOf), {
    result: 'A smuggler.',
    usage: { inputTokens: 1_900, outputTokens: 101 },
    credits: 3,
  });
  await core.bus.idle();
  assert.deepEqual(told, [{ amount: 3, remaining: -1, operation: 'ai_generate' }]);
});

test('a work that fails is charged for what it used, and nothing for a provider that said nothing', async () => {
  core.llm.script([{ text: 'Yes.', usage: { input: 900, output: 10 } }]);
  const failing = spend(async (session) => {
    await textOf(session);
    throw new Error('the answer was wrong');
  });
  await assert.rejects(failing, /the answer was wrong/);
  core.llm.script({ refuse: { status: 401, message: 'No such key' } });
  await assert.rejects(spend(textOf), { status: 409, extras: { code: 'ai_refused_key' } });
  await core.bus.idle();
  assert.deepEqual(
    told.map(({ amount }) => amount),
    [1],
  );
});

test('a caller who goes is charged for what was said until then', async () => {
  core.llm.script({ text: 'word '.repeat(2_000), silent: 'later', usage: null });
  const stop = new AbortController();
  const reading = spend(
    async (session) => {
      for await (const _ of session.chat(ask)) stop.abort(new Error('gone'));
    },
    { signal: stop.signal },
  );
  await assert.rejects(reading, /gone/);
  await until(() => core.llm.open() === 0);
  await core.bus.idle();
  assert.equal(told.length, 1);
});
