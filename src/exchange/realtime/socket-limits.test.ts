import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRunningClock } from '../../../test/support/cloud.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { type Heard, openTestSocket, socketAddress, type TestSocket } from '../../../test/support/sockets.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { createAccounts } from '../../people/users/users.module.ts';
import { syncCompleted } from '../../world/mirror/sync.events.ts';
import { logEvent } from '../../world/records/events.store.ts';
import type { EventsReply } from './events.contract.ts';

const clock = createRunningClock();
let core: TestCore;
let address: string;
before(async () => {
  core = await startCore({ clock });
  await core.mirror.whenSettled(await core.projects.open('local', 'default'));
  address = await socketAddress(core.app);
});
after(() => core.close());

const connect = (query: Record<string, string> = {}): Promise<TestSocket> =>
  openTestSocket(address, { token: core.adminToken, ...query });
const create = async (entity_id: string, type = 'character'): Promise<void> => {
  const reply = await core.call('POST', `/api/entity/${type}`, { body: { entity_id, name: entity_id } });
  assert.equal(reply.status, 201, reply.text);
};
const synced = (entities_synced: number) => ({
  entities_synced,
  errors: 0,
  duration_ms: 1,
  timestamp: new Date().toISOString(),
});
const countsIn = (events: readonly Heard[]): unknown[] =>
  events.flatMap((event) => (event.type === 'sync_completed' ? [event.entities_synced] : []));

test('who reads too slowly is not written to for ever, and misses nothing once they are told to catch up', async () => {
  const project = await core.projects.open('local', 'default');
  const elsewhere = { ...project, bus: { publish: () => {} } };
  const [slow, quick] = [await connect({ cursor: '' }), await connect()];
  await slow.next('ready');
  await quick.next('ready');
  slow.peer.pause();
  const counts = Array.from({ length: 100 }, (_, count) => count);
  for (const count of counts) {
    const event = { ...synced(count), load: 'x'.repeat(300_000) };
    // Polling finds another process's events; this one's arrive at once.
    await logEvent(count % 2 === 0 ? elsewhere : project, syncCompleted, event);
    if (count % 2 === 0) continue;
    // On a busy machine even a reading client counts as slow unless it is awaited.
    await until(async () => countsIn(quick.heard).length === count + 1);
  }
  slow.peer.resume();
  const { cursor } = await slow.next('catch_up');
  const told = countsIn(slow.heard);
  // The limit is a megabyte, plus the socket buffers of the system.
  assert.ok(told.length < 70, `${told.length} of 100 were written to somebody who did not read`);
  const rest: unknown[] = [];
  for (let at = String(cursor), more = true; more; ) {
    const { body } = await core.call<EventsReply>('GET', `/api/events?cursor=${at}&limit=30`);
    rest.push(...countsIn(body.events));
    [at, more] = [body.cursor, body.has_more];
  }
  assert.deepEqual([...told, ...rest], counts);
  await create('after_catching_up');
  assert.equal((await slow.next('entity_updated')).entity_id, 'after_catching_up');
  for (const { peer } of [slow, quick]) peer.close();
});

test('one person has fifty connections at most, and another one when one ends', async () => {
  const token = await core.registerViewer();
  const open = () => openTestSocket(address, { token });
  const all = await Promise.all(Array.from({ length: 50 }, open));
  await Promise.all(all.map((socket) => socket.next('ready')));
  const refused = await (await open()).closed;
  assert.deepEqual([refused.code, refused.reason], [4429, 'you have too many connections open']);
  const admin = await connect();
  await admin.next('ready');
  all[0]?.peer.close();
  await until(async () => {
    const socket = await open();
    all.push(socket);
    return socket.next('ready').then(
      () => true,
      () => false,
    );
  });
  for (const { peer } of [...all, admin]) peer.terminate();
});

test('who does not say who they are within ten seconds is shown out', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const socket = await openTestSocket(address, {});
  let isClosed = false;
  void socket.closed.then(() => {
    isClosed = true;
  });
  t.mock.timers.tick(9_999);
  const answered = new Promise((resolve) => socket.peer.once('pong', resolve));
  socket.peer.ping();
  await answered;
  assert.equal(isClosed, false);
  t.mock.timers.tick(1);
  const { code, reason } = await socket.closed;
  assert.deepEqual([code, reason], [4401, 'no token within 10 seconds']);
});

test('who talks too much is shown out', async () => {
  const socket = await connect();
  await socket.next('ready');
  for (let count = 0; count < 100; count += 1) socket.say({ type: 'ping' });
  assert.equal((await socket.closed).code, 1008);
});

test('a subscription may name kinds of events and types of entities, and another takes its place', async () => {
  const socket = await connect();
  await socket.next('ready');
  socket.say({ type: 'subscribe', types: ['entity_updated'], entity_types: ['location'] });
  await socket.next('subscribed');
  await create('unheard');
  await create('heard', 'location');
  assert.equal((await socket.next('entity_updated')).entity_id, 'heard');
  socket.say({ type: 'subscribe', types: ['sync_completed'] });
  await socket.next('subscribed');
  await create('unheard_as_well', 'location');
  const project = await core.projects.open('local', 'default');
  await logEvent(project, syncCompleted, synced(1));
  assert.equal((await socket.next('sync_completed')).entities_synced, 1);
  const entities = socket.heard.filter(({ type }) => type === 'entity_updated');
  assert.deepEqual(
    entities.map(({ entity_id }) => entity_id),
    ['heard'],
  );
  socket.peer.close();
});

test('an account that another process closes loses its connections', async () => {
  const viewer = await core.registerViewer();
  const { body } = await core.call<{ user_id: string }>('GET', '/api/auth/me', { token: viewer });
  const socket = await openTestSocket(address, { token: viewer });
  await socket.next('ready');
  const { users } = createAccounts({
    database: core.opened.again(),
    clock: systemClock,
    tenantId: 'local',
  });
  await users.update(body.user_id, { role: 'editor' });
  await users.update(body.user_id, { isActive: false });
  assert.equal((await socket.closed).code, 4401);
});

test('a connection ends with its token, unless it was given a fresh one', async () => {
  const viewer = await core.registerViewer();
  const made = await core.call<{ key: string; key_id: string }>('POST', '/api/api-keys', {
    body: { name: 'short', expires_at: new Date(clock.now() + 60_000).toISOString() },
  });
  const [ending, renewed] = [
    await openTestSocket(address, { token: made.body.key }),
    await openTestSocket(address, { token: made.body.key }),
  ];
  await ending.next('ready');
  await renewed.next('ready');
  renewed.say({ type: 'auth', token: core.adminToken });
  renewed.say({ type: 'ping' });
  await renewed.next('pong');
  clock.pass(60_000);
  assert.equal((await ending.closed).code, 4401);
  renewed.say({ type: 'ping' });
  await renewed.next('pong');
  renewed.say({ type: 'auth', token: viewer });
  const { code, reason } = await renewed.closed;
  assert.equal(code, 4401);
  assert.match(reason, /somebody else’s/);
});
