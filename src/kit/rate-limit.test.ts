import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit } from './rate-limit.ts';

/** Processes that share a counter, at a time that tests set. */
function world(limits = { login: 3, anonymous: 5, user: 1200 }) {
  let now = 1_000_000;
  let calls = 0;
  let away = false;
  const counters = new Map<string, { count: number; resetAtMs: number }>();
  const increment = async (key: string, { ttlMs }: { ttlMs: number }) => {
    calls += 1;
    if (away) throw new Error('away');
    const known = counters.get(key);
    const next =
      known && known.resetAtMs > now
        ? { ...known, count: known.count + 1 }
        : { count: 1, resetAtMs: now + ttlMs };
    counters.set(key, next);
    return next;
  };
  const clock = { now: () => now };
  return {
    process: () => createRateLimit({ increment, limits, clock }),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    calls: () => calls,
    setAway: (value: boolean) => {
      away = value;
    },
  };
}

test('the limit holds exactly, the reply says how much is left, and a new minute begins', async () => {
  const { process, pass } = world();
  const limit = process();
  for (const remaining of [2, 1, 0]) {
    assert.deepEqual(await limit('login', '192.0.2.1'), {
      allowed: true,
      limit: 3,
      remaining,
      resetSeconds: 60,
    });
  }
  pass(20_000);
  assert.deepEqual(await limit('login', '192.0.2.1'), {
    allowed: false,
    limit: 3,
    remaining: 0,
    resetSeconds: 40,
  });
  assert.equal((await limit('login', '192.0.2.2'))?.allowed, true);
  pass(40_001);
  assert.equal((await limit('login', '192.0.2.1'))?.allowed, true);
});

test('requests at the same time do not get past the limit', async () => {
  const limit = world().process();
  const decisions = await Promise.all(Array.from({ length: 50 }, () => limit('anonymous', '192.0.2.1')));
  assert.equal(decisions.filter((decision) => decision?.allowed).length, 5);
});

test('processes share the limit', async () => {
  const { process } = world({ login: 3, anonymous: 5, user: 1000 });
  const both = [process(), process()];
  let allowed = 0;
  for (let index = 0; index < 1500; index += 1) {
    const decision = await both[index % 2]?.('user', 'u');
    if (decision?.allowed) allowed += 1;
  }
  assert.equal(allowed, 1000);
});

test('a user is mostly counted without asking the shared counter', async () => {
  const { process, calls } = world();
  const limit = process();
  let immediate = 0;
  for (let index = 0; index < 1200; index += 1) {
    const decision = limit('user', 'u');
    if (!(decision instanceof Promise)) immediate += 1;
    assert.equal((await decision)?.allowed, true);
  }
  assert.equal(calls(), 100);
  assert.equal(immediate, 1100);
  assert.equal((await limit('user', 'u'))?.allowed, false);
});

test('a limit of zero is off', () => {
  assert.equal(world({ login: 0, anonymous: 0, user: 0 }).process()('user', 'u'), null);
});

test('addresses of one IPv6 subscriber count together', async () => {
  const limit = world().process();
  for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:0db8:1:2:3:4:5:6'])
    await limit('login', address);
  assert.equal((await limit('login', '2001:db8:1:2::77'))?.allowed, false);
  assert.equal((await limit('login', '2001:db8:1:3::1'))?.allowed, true);
  for (let index = 0; index < 3; index += 1) await limit('login', '::ffff:192.0.2.9');
  assert.equal((await limit('login', '192.0.2.9'))?.allowed, false);
  assert.equal((await limit('login', '::ffff:192.0.2.8'))?.allowed, true);
});

test('while the shared counter is away each process counts by itself, and is told of no more than is left', async () => {
  const { process, setAway } = world({ login: 10, anonymous: 10, user: 1000 });
  const [before, fresh] = [process(), process()];
  const allowed = async (limit: ReturnType<typeof process>, kind: 'login' | 'user', tries: number) => {
    const decisions = await Promise.all(Array.from({ length: tries }, () => limit(kind, 'a')));
    return decisions.filter((decision) => decision?.allowed).length;
  };
  assert.equal(await allowed(before, 'login', 4), 4);
  assert.equal(await allowed(before, 'user', 400), 400);
  setAway(true);
  assert.deepEqual([await allowed(before, 'login', 20), await allowed(before, 'user', 2000)], [6, 600]);
  assert.deepEqual([await allowed(fresh, 'login', 20), await allowed(fresh, 'user', 2000)], [10, 1000]);
});

test('a shared counter that is away is not asked at every request, and counts again once it is back', async () => {
  const { process, setAway, calls, pass } = world();
  const limit = process();
  setAway(true);
  for (let index = 0; index < 50; index += 1) await limit('login', `192.0.2.${index}`);
  assert.equal(calls(), 1);
  setAway(false);
  pass(5_001);
  const other = process();
  for (let index = 0; index < 3; index += 1)
    assert.equal((await limit('login', '198.51.100.1'))?.allowed, true);
  assert.equal((await other('login', '198.51.100.1'))?.allowed, false);
});
