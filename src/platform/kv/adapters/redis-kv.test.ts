import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { REDIS_URL, startRedisRelay } from '../../../../test/support/redis-relay.ts';
import { until } from '../../../../test/support/until.ts';
import { keyValueConformance } from '../kv.conformance.ts';
import { type KeyValue, KeyValueUnavailable } from '../kv.ts';
import { createRedisKeyValue } from './redis-kv.ts';

/** Generous for a step of a second or two, since the machine may be busy. */
const SECONDS_MS = 15_000;

if (process.env.CANONRY_TEST_REDIS === 'off') {
  it('Redis key-value', { skip: 'CANONRY_TEST_REDIS is off' }, () => {});
} else {
  keyValueConformance('redis', (t) => makeStore(t, REDIS_URL));

  it('fails within seconds while Redis is frozen, and heals when it is back', async (t) => {
    const relay = await startRedisRelay(t);
    const store = await makeStore(t, relay.url);
    await store.set('a', 'kept', { ttlMs: 60_000 });
    relay.freeze(true);
    await rejectsQuickly(() => store.get('a'));
    relay.freeze(false);
    await until(async () => (await store.get('a')) === 'kept');
  });

  it('fails within seconds while Redis is down, and heals when it is back', async (t) => {
    const relay = await startRedisRelay(t);
    const store = await makeStore(t, relay.url);
    await store.ping();
    await relay.down();
    await rejectsQuickly(() => store.ping());
    await rejectsQuickly(() => store.increment('a', { ttlMs: 1_000 }));
    await relay.up();
    await until(() => store.ping().then(() => true));
  });
}

it('can be made while nothing listens', async (t) => {
  const relay = await startRedisRelay(t);
  await relay.down();
  const store = await makeStore(t, relay.url);
  await rejectsQuickly(() => store.ping());
});

async function makeStore(t: TestContext, at: string): Promise<KeyValue> {
  const store = await createRedisKeyValue({ url: at, prefix: `canonry-test:${randomUUID()}:` });
  t.after(() => store.close());
  return store;
}

async function rejectsQuickly(call: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await assert.rejects(call(), KeyValueUnavailable);
  assert.ok(performance.now() - started < SECONDS_MS);
}
