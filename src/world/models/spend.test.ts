import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type AiCore, startAiCore } from '../../../test/support/ai.ts';
import { until } from '../../../test/support/until.ts';
import { creditsDeducted } from './credits.events.ts';
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
