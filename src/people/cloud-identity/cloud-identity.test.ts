import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createTestClock } from '../../../test/support/auth.ts';
import { until } from '../../../test/support/until.ts';
import { HttpError, unavailable } from '../../kit/errors.ts';
import { silentLog } from '../../kit/log.ts';
import { createAccessTokens } from '../auth/access-tokens.ts';
import { publishedKeys } from '../auth/token-keys.ts';
import type { AccountsPort } from './accounts-port.ts';
import { createCloudIdentity } from './cloud-identity.module.ts';

type Change = Awaited<ReturnType<AccountsPort['accessChanges']>>['changes'][number];

const PERSON = {
  userId: 'mara',
  email: 'mara@example.com',
  tenantId: 'studio',
  role: 'editor',
  tenantRole: 'editor',
  plan: 'team',
  overrides: { sso: false },
  sessionId: 'session',
} as const;

/** An accounts service with replies set by the test, and a core's view of it. */
async function startIdentity(t: TestContext, { away = false } = {}) {
  const clock = createTestClock();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const state = { away, changes: [] as Change[], latest: 0, asked: { keys: 0, introspect: 0 } };
  const answer = async <Value>(value: () => Value): Promise<Value> => {
    if (state.away) throw unavailable('The accounts service does not answer');
    return value();
  };
  const identity = createCloudIdentity({
    accounts: {
      keys() {
        state.asked.keys += 1;
        return answer(() => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] }));
      },
      accessChanges: (after) =>
        answer(() => ({ latest: state.latest, changes: state.changes.filter(({ seq }) => seq > after) })),
      introspect() {
        state.asked.introspect += 1;
        return answer(() => ({ key: null }));
      },
    },
    clock,
    log: silentLog,
    everyMs: 5,
  });
  await identity.start?.();
  t.after(() => identity.stop?.());
  const tokens = createAccessTokens({
    keys: publishedKeys({
      signing: async () => ({ key: privateKey, kid: 'one' }),
      verifying: async () => null,
    }),
    clock,
  });
  return {
    state,
    clock,
    identity,
    tokenOf: (accessSeq: number) => tokens.sign({ ...PERSON, accessSeq }),
    change(subject: Change['subject'], subjectId: string) {
      state.latest += 1;
      state.changes.push({ seq: state.latest, subject, subject_id: subjectId });
    },
    /** The code of the refusal, or the status of the accepted caller. */
    async outcome(token: string): Promise<string | number> {
      try {
        return (await identity.authenticate(token)).role;
      } catch (error) {
        assert.ok(error instanceof HttpError, String(error));
        return error.extras.code ?? error.status;
      }
    },
  };
}

test('what a token says is who asks', async (t) => {
  const { identity, tokenOf } = await startIdentity(t);
  const { userId, tenantId, plan, overrides } = await identity.authenticate(await tokenOf(0));
  assert.deepEqual([userId, tenantId, plan, overrides], ['mara', 'studio', 'team', { sso: false }]);
  assert.equal(identity.planOf('studio'), 'team');
  assert.equal(identity.planOf('nobody'), 'free');
});

for (const [subject, id, code] of [
  ['session', 'session', 'session_ended'],
  ['user', 'mara', 'token_expired'],
  ['tenant', 'studio', 'token_expired'],
] as const) {
  test(`a change of the ${subject} ends tokens from before it, and no others`, async (t) => {
    const { change, outcome, tokenOf } = await startIdentity(t);
    const [before, since] = [await tokenOf(0), await tokenOf(1)];
    assert.equal(await outcome(before), 'editor');
    change(subject, 'somebody else');
    change(subject, id);
    await until(async () => (await outcome(before)) === code);
    assert.equal(await outcome(since), code, 'the first change was of somebody else');
    assert.equal(await outcome(await tokenOf(2)), 'editor');
  });
}

test('while accounts is away, what is known holds; afterwards what was missed is made up for', async (t) => {
  const { state, identity, change, outcome, tokenOf, clock } = await startIdentity(t);
  const [token, ended] = [await tokenOf(1), await tokenOf(0)];
  change('user', 'mara');
  await until(async () => (await outcome(ended)) === 'token_expired');
  assert.equal(await outcome(token), 'editor');
  state.away = true;
  const answers = () =>
    identity.probe().then(
      () => true,
      () => false,
    );
  await until(async () => !(await answers()));
  clock.pass(6 * 60_000);
  assert.equal(await outcome(token), 'editor', 'keys are kept');
  assert.equal(await outcome(ended), 'token_expired');
  assert.equal(await outcome(`cnry_${randomUUID()}`), 503);
  change('session', 'session');
  state.away = false;
  await until(async () => (await outcome(token)) === 'session_ended');
  assert.equal(await answers(), true);
});

test('a core that never heard anything lets nobody in, and refuses nobody for good', async (t) => {
  const { outcome, tokenOf } = await startIdentity(t, { away: true });
  const token = await tokenOf(0);
  assert.equal(await outcome(token), 503);
});

test('a core that began without accounts lets people in soon after it is back', async (t) => {
  const { state, clock, outcome, tokenOf } = await startIdentity(t, { away: true });
  const token = await tokenOf(0);
  assert.equal(await outcome(token), 503);
  state.away = false;
  assert.equal(await outcome(token), 503, 'one question in 300 ms, however many ask');
  clock.pass(300);
  await until(async () => (await outcome(token)) === 'editor');
});

test('numbers that begin anew are begun anew here', async (t) => {
  const { state, change, outcome, tokenOf } = await startIdentity(t);
  const token = await tokenOf(9);
  for (let count = 0; count < 10; count += 1) change('tenant', 'studio');
  await until(async () => (await outcome(token)) === 'token_expired');
  Object.assign(state, { latest: 0, changes: [] });
  await until(async () => (await outcome(token)) === 'editor');
});

test('an API key that is none is asked for once in four seconds', async (t) => {
  const { state, outcome, clock } = await startIdentity(t);
  const key = `cnry_${randomUUID()}`;
  for (let tries = 0; tries < 5; tries += 1) assert.equal(await outcome(key), 'invalid_api_key');
  assert.equal(state.asked.introspect, 1);
  clock.pass(4_001);
  await outcome(key);
  assert.equal(state.asked.introspect, 2);
});

test('keys are asked for once, however many tokens there are', async (t) => {
  const { state, outcome, tokenOf } = await startIdentity(t);
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, seq) => tokenOf(seq)));
  assert.deepEqual([...new Set(await Promise.all(tokens.map(outcome)))], ['editor']);
  assert.equal(state.asked.keys, 1);
});

test('a token of a key that nobody knows is refused at once, and one look at the keys serves everybody', async (t) => {
  const { state, clock, outcome, tokenOf } = await startIdentity(t);
  const { privateKey } = generateKeyPairSync('ed25519');
  const foreign = createAccessTokens({
    keys: publishedKeys({
      signing: async () => ({ key: privateKey, kid: 'invented' }),
      verifying: async () => null,
    }),
    clock,
  });
  const token = await foreign.sign({ ...PERSON, accessSeq: 0 });
  const before = state.asked.keys;
  const codes = await Promise.all(Array.from({ length: 50 }, () => outcome(token)));
  assert.deepEqual(new Set(codes), new Set(['invalid_token']));
  assert.equal(await outcome(token), 'invalid_token');
  assert.ok(state.asked.keys - before <= 1, `${state.asked.keys - before} reads`);
  clock.pass(4_000);
  state.away = true;
  assert.equal(await outcome(token), 503);
  assert.equal(await outcome(token), 503, 'no 401 while nobody can tell');
  assert.equal(await outcome(await tokenOf(0)), 'editor');
});
