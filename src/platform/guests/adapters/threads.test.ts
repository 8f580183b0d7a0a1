import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { asComponent, buildGuest, guestSource } from '../../../../test/support/guests/build-guest.ts';
import { request, testGuests } from '../../../../test/support/guests/guest-folder.ts';
import { createTestHost } from '../../../../test/support/guests/guest-host.ts';
import { until } from '../../../../test/support/until.ts';
import { GuestError, type GuestLimits, type GuestPlace } from '../guests.ts';
import type { GuestHost } from '../host.ts';

/** Only a call that hangs shall fail. */
const PATIENT = 60_000;

async function open(t: TestContext, limits: Partial<GuestLimits> = {}) {
  const component = asComponent(await buildGuest(guestSource('hostile-guest'), 'plugin-with-routes'));
  const guests = testGuests(t, limits);
  const askAt = async (
    place: GuestPlace,
    key: string,
    path: string,
    host: GuestHost = createTestHost(),
    deadlineMs = PATIENT,
  ) => {
    const options = { deadlineMs, host };
    return (await guests.open(key, component, place).call('handle-request', [...request(path)], options))
      .body;
  };
  const ask = (key: string, path: string, host?: GuestHost) => askAt({}, key, path, host);
  return { guests, component, ask, askAt };
}

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(String, (reason: unknown) => reason);
  return error instanceof GuestError ? error.code : String(error);
};

/** A host whose values are known only when the test says. */
function waitingHost() {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const host = createTestHost();
  const get = () => {
    asked.resolve();
    return answer.promise;
  };
  return { host: { ...host, kv: { ...host.kv, get } }, asked: asked.promise, answer: answer.resolve };
}

test('a key has an instance of its own, whose state lasts between calls', async (t) => {
  const { guests, ask } = await open(t);
  assert.equal(await ask('tenant-a/plugin', '/count'), '1');
  assert.equal(await ask('tenant-a/plugin', '/count'), '2');
  assert.equal(await ask('tenant-b/plugin', '/count'), '1');
  assert.deepEqual(guests.running().sort(), ['tenant-a/plugin', 'tenant-b/plugin']);
});

test('calls of one guest run one after another', async (t) => {
  const { ask } = await open(t);
  const { host, asked, answer } = waitingHost();
  const first = ask('key', '/ask', host);
  await asked;
  const others = [ask('key', '/count'), ask('key', '/count')];
  answer('value');
  assert.deepEqual(await Promise.all([first, ...others]), ['value', '2', '3']);
});

test('an idle thread ends, and the next call starts one', async (t) => {
  const { guests, ask } = await open(t, { idleMs: 50 });
  assert.equal(await ask('key', '/count'), '1');
  await until(() => guests.running().length === 0);
  assert.equal(await ask('key', '/count'), '1');
});

test('no more threads than allowed: the one that was idle longest makes room', async (t) => {
  const { guests, ask } = await open(t, { mostThreads: 2 });
  await ask('one', '/count');
  await ask('two', '/count');
  assert.equal(await ask('one', '/count'), '2');
  assert.equal(await ask('three', '/count'), '1');
  assert.deepEqual(guests.running().sort(), ['one', 'three']);
  assert.equal(await ask('one', '/count'), '3');
});

test('who waits for a thread gets one, though another guest is called without end', async (t) => {
  const { ask } = await open(t, { mostThreads: 1, turnMs: 0 });
  assert.equal(await ask('busy', '/count'), '1');
  let isServed = false;
  const keepBusy = async () => {
    while (!isServed) await ask('busy', '/count');
  };
  const other = ask('other', '/count').finally(() => {
    isServed = true;
  });
  await Promise.all([other, keepBusy(), keepBusy()]);
  assert.equal(await other, '1');
});

test('a call that gets no thread in time is given up, and those that did go on', async (t) => {
  const { guests, ask } = await open(t, { mostThreads: 1, waitMs: 300 });
  const { host, asked, answer } = waitingHost();
  await until(async () => (await codeOf(ask('one', '/count'))) !== 'busy');
  const first = ask('one', '/ask', host);
  await asked;
  assert.equal(await codeOf(ask('two', '/count')), 'busy');
  assert.equal(await codeOf(ask('one', '/count')), 'busy');
  assert.deepEqual(guests.running(), ['one']);
  answer('value');
  assert.equal(await first, 'value');
});

test('a guest that is ended lets its callers go, and may be called again', async (t) => {
  const { guests, ask } = await open(t);
  const { host, asked } = waitingHost();
  const calls = [ask('key', '/ask', host), ask('key', '/count')].map(codeOf);
  await asked;
  await guests.end('key');
  assert.deepEqual(await Promise.all(calls), ['ended', 'ended']);
  assert.equal(await ask('key', '/count'), '1');
  const starting = codeOf(ask('fresh', '/count'));
  await guests.end('fresh');
  assert.equal(await starting, 'ended');
  assert.deepEqual(guests.running(), ['key']);
});

test('another component under a key takes the place of the one before', async (t) => {
  const { guests, ask } = await open(t);
  assert.equal(await ask('key', '/count'), '1');
  const changed = asComponent(
    await buildGuest(
      guestSource('hostile-guest').replace('let calls = 0', 'let calls = 10'),
      'plugin-with-routes',
    ),
  );
  const options = { deadlineMs: PATIENT, host: createTestHost() };
  const reply = await guests.open('key', changed).call('handle-request', [...request('/count')], options);
  assert.equal(reply.body, '11');
  assert.deepEqual(guests.running(), ['key']);
});

test('a function that the component lacks is told apart', async (t) => {
  const { guests, component } = await open(t);
  const call = guests
    .open('key', component)
    .call('on-project-init', ['{}'], { deadlineMs: PATIENT, host: createTestHost() });
  assert.equal(await codeOf(call), 'not_exported');
});

test('while guests loop, the service and other guests answer', async (t) => {
  const { guests, ask } = await open(t, { mostThreads: 5 });
  const loops = ['one', 'two', 'three', 'four'];
  let ended = 0;
  const calls = loops.map((key) => codeOf(ask(key, '/loop')).finally(() => (ended += 1)));
  await until(() => loops.every((key) => guests.running().includes(key)));
  for (let turns = 0; turns < 1_000; turns += 1) await turn();
  assert.equal(await ask('neighbour', '/count'), '1');
  assert.equal(await ask('neighbour', '/count'), '2');
  assert.equal(ended, 0);
  await guests.close();
  assert.deepEqual(await Promise.all(calls), ['ended', 'ended', 'ended', 'ended']);
});

test('a save waits for no other call of its guest, and soon goes on without one that is at work', async (t) => {
  const { guests, ask, askAt } = await open(t, { saveStartMs: PATIENT });
  const save = { lane: 'saves' } as const;
  const late = waitingHost();
  const routed = codeOf(ask('key', '/ask', late.host));
  await late.asked;
  assert.equal(await askAt(save, 'key', '/count'), '1');
  assert.deepEqual(guests.running(), ['key']);
  const { host, asked, answer } = waitingHost();
  const saving = askAt(save, 'key', '/ask', host);
  await asked;
  assert.equal(await codeOf(askAt(save, 'key', '/count')), 'busy');
  answer('value');
  assert.equal(await saving, 'value');
  assert.equal(await askAt(save, 'key', '/count'), '3');
  await guests.end('key');
  assert.equal(await routed, 'ended');
  assert.deepEqual(guests.running(), []);
});

test('one owner has some of the threads, and leaves others to the rest', async (t) => {
  const { ask, askAt, guests } = await open(t, { mostThreads: 3, mostOfOwner: 2 });
  const hosts = ['one', 'two', 'three'].map((key) => ({ key, ...waitingHost() }));
  const begin = ({ key, host }: (typeof hosts)[number]) => askAt({ owner: 'tenant' }, key, '/ask', host);
  const held = hosts.slice(0, 2).map(begin);
  await Promise.all(hosts.slice(0, 2).map(({ asked }) => asked));
  // Only now: guests get their threads in the order in which they are prepared.
  const kept = hosts.slice(2).map(begin);
  assert.equal(await askAt({ owner: 'other' }, 'their own', '/count'), '1');
  assert.equal(await ask('nobody', '/count'), '1');
  assert.ok(!guests.running().includes('three'));
  for (const { answer } of hosts) answer('value');
  assert.deepEqual(await Promise.all([...held, ...kept]), ['value', 'value', 'value']);
});
