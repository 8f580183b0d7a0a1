import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { openTestSocket, socketAddress } from '../../../test/support/sockets.ts';
import type { Attendant } from './presence.service.ts';

let core: TestCore;
let address: string;
before(async () => {
  core = await startCore();
  address = await socketAddress(core.app);
});
after(() => core.close());

const listed = async (url: string, key: string): Promise<Attendant[]> => {
  const reply = await core.call<Record<string, Attendant[]>>('GET', url);
  assert.equal(reply.status, 200, reply.text);
  return reply.body[key] ?? [];
};

test('others see who comes, edits what, rests and goes', async () => {
  const viewer = await core.registerViewer();
  const watcher = await openTestSocket(address, { token: core.adminToken });
  await watcher.next('presence_update');
  const writer = await openTestSocket(address, { token: viewer, client: 'desktop' });
  const { user_id } = await writer.next('ready');
  const { timestamp, ...came } = await watcher.next('presence_update');
  assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
  const nothing = { entity_type: null, entity_id: null };
  const who = { type: 'presence_update', user_id, user_name: 'Viewer' };
  assert.deepEqual(came, { ...who, status: 'online', ...nothing });

  const subject = { entity_type: 'character', entity_id: 'mira' };
  writer.say({ type: 'presence', status: 'editing', ...subject, field: 'role' });
  const { timestamp: _edited, ...editing } = await watcher.next('presence_update');
  assert.deepEqual(editing, { ...who, status: 'editing', ...subject });
  const [edit] = await listed('/api/presence/editing', 'editing');
  assert.deepEqual(
    [edit?.user_id, edit?.entity_id, edit?.field, edit?.project_id],
    [user_id, 'mira', 'role', 'default'],
  );
  const people = await listed('/api/presence', 'users');
  assert.deepEqual(people.map(({ status }) => status).sort(), ['editing', 'online']);
  assert.deepEqual(await listed('/api/presence/local', 'users'), people);
  const [session] = await listed('/api/desktop/sync/presence', 'sessions');
  assert.equal(session?.user_id, user_id);

  writer.say({ type: 'presence', status: 'idle' });
  assert.equal((await watcher.next('presence_update')).status, 'idle');
  assert.deepEqual(await listed('/api/presence/editing', 'editing'), []);
  writer.peer.terminate();
  assert.equal((await watcher.next('presence_update')).status, 'offline');
  assert.equal((await listed('/api/presence', 'users')).length, 1);
  watcher.peer.close();
});

test('somebody with two connections is there until the last one ends', async () => {
  const watcher = await openTestSocket(address, { token: core.adminToken });
  await watcher.next('presence_update');
  const viewer = await core.registerViewer();
  const [one, two] = [
    await openTestSocket(address, { token: viewer }),
    await openTestSocket(address, { token: viewer }),
  ];
  const { user_id } = await one.next('ready');
  const nextStatus = async (): Promise<unknown> => {
    const update = await watcher.next('presence_update');
    return update.user_id === user_id ? update.status : nextStatus();
  };
  assert.deepEqual([await nextStatus(), await nextStatus()], ['online', 'online']);
  one.peer.close();
  assert.equal(await nextStatus(), 'online');
  two.peer.close();
  assert.equal(await nextStatus(), 'offline');
  watcher.peer.close();
});

test('another tenant is answered as one that is not there', async () => {
  const reply = await core.call('GET', '/api/presence/somebody-else');
  assert.deepEqual([reply.status, reply.body.code], [404, 'no_such_tenant']);
});
