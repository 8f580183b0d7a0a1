import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { keyValueConformance } from '../kv.conformance.ts';
import { type KeyValue, KeyValueUnavailable } from '../kv.ts';
import { createRedisKeyValue } from './redis-kv.ts';

const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

if (process.env.CANONRY_TEST_REDIS === 'off') {
  it('Redis key-value', { skip: 'CANONRY_TEST_REDIS is off' }, () => {});
} else {
  keyValueConformance('redis', (t) => makeStore(t, url));

  it('fails within seconds while Redis is frozen, and heals when it is back', async (t) => {
    const relay = await startRelay(t);
    const store = await makeStore(t, relay.url);
    await store.set('a', 'kept', { ttlMs: 60_000 });
    relay.freeze(true);
    await rejectsQuickly(() => store.get('a'));
    relay.freeze(false);
    await until(async () => (await store.get('a')) === 'kept');
  });

  it('fails within seconds while Redis is down, and heals when it is back', async (t) => {
    const relay = await startRelay(t);
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
  const relay = await startRelay(t);
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
  assert.ok(performance.now() - started < 3_000);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 8_000;
  while (!(await condition().catch(() => false))) {
    assert.ok(performance.now() < deadline, 'not healed in time');
    await delay(50);
  }
}

/** A port that passes bytes on to Redis, or holds them back, or is closed. */
async function startRelay(t: TestContext) {
  const { hostname, port, pathname, username, password } = new URL(url);
  const sockets = new Set<net.Socket>();
  let frozen = false;
  const server = net.createServer((client) => {
    const redis = net.connect(Number(port || 6379), hostname);
    for (const [from, to] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(from);
      if (frozen) from.pause();
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const down = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  t.after(down);
  const credentials = password === '' ? '' : `${username}:${password}@`;
  return {
    url: `redis://${credentials}127.0.0.1:${address.port}${pathname}`,
    down,
    up: () => listen(address.port),
    freeze: (value: boolean) => {
      frozen = value;
      for (const socket of sockets) {
        if (frozen) socket.pause();
        else socket.resume();
      }
    },
  };
}
