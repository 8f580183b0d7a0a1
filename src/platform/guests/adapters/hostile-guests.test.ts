import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { asComponent, buildGuest, guestSource } from '../../../../test/support/guests/build-guest.ts';
import { request, testGuests } from '../../../../test/support/guests/guest-folder.ts';
import { createTestHost } from '../../../../test/support/guests/guest-host.ts';
import { GuestError } from '../guests.ts';
import type { GuestHost } from '../host.ts';

/** Enough for what ends by itself, on a busy machine. */
const PATIENT = 60_000;
const SHORT = 200;

async function hostile(t: TestContext) {
  const component = asComponent(await buildGuest(guestSource('hostile-guest'), 'plugin-with-routes'));
  const guests = testGuests(t);
  const guest = guests.open('hostile', component);
  const ask = async (path: string, deadlineMs = PATIENT, host: GuestHost = createTestHost()) =>
    (await guest.call('handle-request', [...request(path)], { deadlineMs, host })).body;
  const failure = async (path: string, deadlineMs = PATIENT, host?: GuestHost): Promise<GuestError> => {
    const error = await ask(path, deadlineMs, host).then(String, (reason: unknown) => reason);
    assert.ok(error instanceof GuestError, String(error));
    return error;
  };
  return { guests, ask, failure };
}

test('an endless loop ends with its deadline, and the next call finds a fresh guest', async (t) => {
  const { ask, failure } = await hostile(t);
  assert.equal(await ask('/count'), '1');
  assert.equal(await ask('/count'), '2');
  const error = await failure('/loop', SHORT);
  assert.deepEqual([error.code, error.isBreak], ['timeout', true]);
  assert.equal(await ask('/count'), '1');
});

test('a guest that grows is stopped at its 64 MiB, even if it hides that', async (t) => {
  const { ask, failure } = await hostile(t);
  const error = await failure('/grow');
  assert.deepEqual([error.code, error.isBreak], ['memory', true]);
  assert.equal(await ask('/count'), '1');
  assert.equal(await ask('/grow-and-hide'), 'nothing happened');
  assert.equal(await ask('/count'), '1', 'a guest that is full does not go on');
});

test('a recursion without end ends the call alone', async (t) => {
  const { ask, failure } = await hostile(t);
  assert.equal(await ask('/count'), '1');
  const error = await failure('/recurse');
  assert.equal(error.code, 'trap');
  assert.equal(await ask('/count'), '1');
});

test('an error is told, and the guest goes on', async (t) => {
  const { ask, failure } = await hostile(t);
  const error = await failure('/throw');
  assert.deepEqual([error.code, error.message, error.isBreak], ['failed', 'thrown by the guest', false]);
  assert.equal(await ask('/count'), '2');
});

test('what the world has no place for is an error', async (t) => {
  const { ask, failure } = await hostile(t);
  for (const path of ['/garbage', '/no-response', '/nothing-there']) assert.ok(await failure(path), path);
  assert.ok(await ask('/count'));
});

test('a call logs 200 lines and 64 kB, and the rest is counted', async (t) => {
  const { guests, ask, failure } = await hostile(t);
  const host = createTestHost();
  assert.equal(await ask('/flood', PATIENT, host), 'flooded');
  assert.equal(host.lines.length, 201);
  assert.equal(host.lines.at(0), 'info line 0');
  assert.equal(host.lines.at(-1), 'warn 800 more lines of this call were left out');
  const long = createTestHost();
  await ask('/long-lines', PATIENT, long);
  assert.ok(long.lines.join('').length < 70_000, String(long.lines.join('').length));
  const { promise: never } = Promise.withResolvers<null>();
  const { promise: hasFlooded, resolve } = Promise.withResolvers<void>();
  const stopped = createTestHost();
  const get = () => {
    resolve();
    return never;
  };
  const flooding = failure('/flood-and-ask', PATIENT, { ...stopped, kv: { ...stopped.kv, get } });
  await hasFlooded;
  await guests.end('hostile');
  assert.equal((await flooding).code, 'ended');
  assert.equal(stopped.lines.at(-1), 'warn 800 more lines of this call were left out');
});

test('long results and arguments are refused', async (t) => {
  const { ask, failure } = await hostile(t);
  for (const path of ['/long', '/long-value']) {
    const error = await failure(path);
    assert.deepEqual([error.code, error.isBreak], ['bad_result', true]);
    assert.match(error.message, /more than 1 MiB|longer than 1 MiB/);
  }
  assert.equal(await ask('/count'), '1');
});

test('a guest that asks the host without end is stopped, though it ignores errors', async (t) => {
  const { ask, failure } = await hostile(t);
  let asked = 0;
  const host = createTestHost();
  const counting = {
    ...host,
    kv: {
      ...host.kv,
      async get() {
        asked += 1;
        return null;
      },
    },
  };
  const error = await failure('/ask-forever', 5_000, counting);
  assert.match(error.code, /^(timeout|too_many_calls)$/);
  assert.ok(asked <= 5_000, String(asked));
  assert.equal(await ask('/count'), '1');
});

test('what the host takes is no fault of the guest, and ends as well', async (t) => {
  const { ask, failure } = await hostile(t);
  const host = createTestHost();
  const { promise: never } = Promise.withResolvers<null>();
  const silent = { ...host, kv: { ...host.kv, get: () => never } };
  const error = await failure('/ask', SHORT, silent);
  assert.deepEqual([error.code, error.isBreak, error.isPassing], ['host', false, true]);
  assert.equal(await ask('/count'), '1');
});

test('a failure of the host is no fault of the guest, and ends the call', async (t) => {
  const { ask, failure } = await hostile(t);
  const host = createTestHost();
  const cause = new Error('the database is gone');
  const failing = { ...host, kv: { ...host.kv, get: () => Promise.reject(cause) } };
  const error = await failure('/ask', PATIENT, failing);
  assert.deepEqual([error.code, error.cause, error.isBreak], ['host', cause, false]);
  assert.doesNotMatch(error.message, /database/);
  assert.equal(await ask('/count'), '1');
});

test('an answer of the host that is far too long is not passed on', async (t) => {
  const { failure } = await hostile(t);
  const host = createTestHost();
  const generous = { ...host, kv: { ...host.kv, get: async () => 'x'.repeat(5_000_000) } };
  assert.equal((await failure('/ask', PATIENT, generous)).code, 'host');
});
