import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { createSecretBox } from '../../kit/secret-box.ts';
import { createMemoryKeyValue } from '../../platform/kv/adapters/memory-kv.ts';
import { createRedisKeyValue } from '../../platform/kv/adapters/redis-kv.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import { createPendingFlows, type PendingFlow } from './pending.ts';

const box = createSecretBox(new Uint8Array(32).fill(7));
const PENDING: PendingFlow = {
  flow: 'sign-in',
  provider: 'google',
  redirectUri: 'https://accounts.example/callback',
  codeVerifier: 'the verifier',
  nonce: 'n',
  returnUrl: 'https://accounts.example/',
  challenge: null,
  invite: null,
  owner: null,
};
const AT = { flow: 'sign-in', provider: 'google', browser: 'a browser' } as const;

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const stores: [string, (t: TestContext) => Promise<KeyValue>][] = [
  ['memory', async () => createMemoryKeyValue()],
];
if (process.env.CANONRY_TEST_REDIS !== 'off') {
  stores.push([
    'Redis',
    async (t) => {
      const store = await createRedisKeyValue({ url: redisUrl, prefix: `canonry-test:${randomUUID()}:` });
      t.after(() => store.close());
      return store;
    },
  ]);
}

for (const [name, open] of stores) {
  describe(`states of ways to providers: ${name}`, () => {
    it('gives each to one of twenty parallel callbacks', async (t) => {
      const states = createPendingFlows({ keyValue: await open(t), box });
      const state = await states.put(PENDING, AT.browser);
      const taken = await Promise.all(Array.from({ length: 20 }, () => states.take({ ...AT, state })));
      assert.deepEqual(
        taken.filter((each) => each !== null),
        [PENDING],
      );
    });

    it('uses one up that comes to the wrong place', async (t) => {
      const states = createPendingFlows({ keyValue: await open(t), box });
      for (const wrong of [{ provider: 'github' }, { flow: 'drive' as const }, { browser: 'other' }]) {
        const state = await states.put(PENDING, AT.browser);
        assert.equal(await states.take({ ...AT, ...wrong, state }), null);
        assert.equal(await states.take({ ...AT, state }), null);
      }
    });
  });
}

it('forgets a state after ten minutes', async () => {
  let now = 0;
  const states = createPendingFlows({ keyValue: createMemoryKeyValue({ now: () => now }), box });
  const early = await states.put(PENDING, AT.browser);
  const late = await states.put(PENDING, AT.browser);
  now = 10 * 60_000 - 1;
  assert.notEqual(await states.take({ ...AT, state: early }), null);
  now += 1;
  assert.equal(await states.take({ ...AT, state: late }), null);
});

it('keeps neither states nor verifiers as text', async () => {
  const memory = createMemoryKeyValue();
  const kept: string[] = [];
  const keyValue: KeyValue = {
    ...memory,
    set: async (key, value, options) => {
      kept.push(key, value);
      await memory.set(key, value, options);
    },
  };
  const state = await createPendingFlows({ keyValue, box }).put(PENDING, AT.browser);
  for (const secret of [state, PENDING.codeVerifier]) assert.ok(!kept.join(' ').includes(secret));
});
