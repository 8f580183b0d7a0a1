import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createRunningClock } from '../../../test/support/cloud.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import {
  createConsents,
  type DriveCore,
  PUBLIC_URL,
  startDriveCore,
} from '../../../test/support/drive/drive-core.ts';
import { until } from '../../../test/support/until.ts';
import { silentLog } from '../../kit/log.ts';
import { createGoogleDrive } from '../../platform/drive/adapters/google-drive.ts';
import type { NewChannel, OpenDrive } from '../../platform/drive/drive.ts';
import { createDriveChannels } from './channels.service.ts';
import { putConnection, removeConnection } from './connections.store.ts';
import type { DriveConnection } from './connections.ts';
import type { DriveDb } from './drive.tables.ts';
import { createDrives } from './drives.ts';

const WEBHOOK = '/api/drive/webhook';
const DAY_MS = 86_400_000;

interface Status {
  registered: boolean;
  channel_id: string | null;
  resource_id: string | null;
  expires_at: string | null;
  address: string | null;
}
type Headers = Record<string, string>;

async function connected({ folder, ask }: DriveCore): Promise<string> {
  const folder_id = folder('World');
  await ask(200, 'POST', '/api/drive-storage/select-folder', { body: { folder_id } });
  return folder_id;
}

const CONNECTION: DriveConnection = {
  tenantId: 'local',
  projectId: 'default',
  rootFolderId: 'folder',
  rootFolderName: 'Folder',
  userId: 'ada',
  source: 'cloud',
  connectedAt: '2026-03-04T05:06:07.890Z',
};

/** As the drive sends them for its newest channel. */
function headersOf({ server }: DriveCore, prefix = 'x-goog'): Headers {
  const [channel] = [...server.channels.values()].slice(-1);
  assert.ok(channel);
  return {
    [`${prefix}-channel-id`]: channel.id,
    [`${prefix}-resource-id`]: channel.resourceId,
    [`${prefix}-channel-token`]: channel.token,
    [`${prefix}-resource-state`]: 'change',
  };
}

forEachDatabase((_name, open) => {
  test('a channel is opened, replaced and stopped, and its notifications are hints', async (t) => {
    const drive = await startDriveCore(t, { open });
    const { server, sync, ask, core } = drive;
    assert.deepEqual(
      await ask(409, 'POST', `${WEBHOOK}/register`).then(({ code }) => code),
      'no_folder_connected',
    );
    await connected(drive);
    const nothing = {
      registered: false,
      channel_id: null,
      resource_id: null,
      expires_at: null,
      address: null,
    };
    assert.deepEqual(await ask(200, 'GET', `${WEBHOOK}/status`), nothing);

    const first = await ask<Status>(200, 'POST', `${WEBHOOK}/register`);
    assert.equal(first.address, `${PUBLIC_URL}${WEBHOOK}`);
    assert.deepEqual(await ask(200, 'GET', `${WEBHOOK}/status`), first);
    const lasts = Date.parse(first.expires_at ?? '') - Date.now();
    assert.ok(lasts > 6 * DAY_MS && lasts <= 7 * DAY_MS, String(first.expires_at));
    const receive = (headers: Headers) => ask(200, 'POST', WEBHOOK, { token: null, headers });
    for (const prefix of ['x-goog', 'x-drive']) {
      sync.calls.splice(0);
      await receive(headersOf(drive, prefix));
      assert.deepEqual(sync.calls, ['hint default']);
    }
    const former = headersOf(drive);

    const second = await ask<Status>(200, 'POST', `${WEBHOOK}/register`);
    assert.notEqual(second.channel_id, first.channel_id);
    assert.deepEqual([...server.channels.keys()], [second.channel_id]);
    const sent = server.requests.map(({ path }) => path).filter((path) => /watch|stop/.test(path));
    assert.deepEqual(
      sent.map((path) => path.includes('watch')),
      [true, true, false],
      'the new one is opened first',
    );
    sync.calls.splice(0);
    assert.deepEqual(await receive(former), { received: true });
    assert.deepEqual(sync.calls, []);

    assert.deepEqual(await ask(200, 'DELETE', `${WEBHOOK}/unregister`), nothing);
    assert.equal(server.channels.size, 0);
    await ask(200, 'POST', `${WEBHOOK}/register`);
    await ask(200, 'POST', '/api/drive-storage/disconnect');
    assert.equal(server.channels.size, 0);
    assert.ok(core);
  });
});

test('forged, foreign and doubled notifications get the same answer, and only true ones count', async (t) => {
  const drive = await startDriveCore(t);
  const { sync, ask } = drive;
  await connected(drive);
  await ask(200, 'POST', `${WEBHOOK}/register`);
  const real = headersOf(drive);
  const forged: Headers[] = [
    {},
    { ...real, 'x-goog-channel-token': 'guessed' },
    { ...real, 'x-goog-channel-token': '' },
    { ...real, 'x-goog-channel-id': 'another' },
    { ...real, 'x-goog-channel-id': "' or 1=1 --" },
    { ...real, 'x-goog-resource-id': 'another' },
    { ...real, 'x-goog-resource-state': 'sync' },
    { ...real, 'x-goog-channel-token': 'x'.repeat(4_000) },
  ];
  sync.calls.splice(0);
  const answers = new Set<string>();
  for (const headers of forged)
    answers.add(JSON.stringify(await ask(200, 'POST', WEBHOOK, { token: null, headers })));
  assert.deepEqual(sync.calls, []);
  for (const body of [undefined, { any: 'thing' }])
    answers.add(JSON.stringify(await ask(200, 'POST', WEBHOOK, { token: null, headers: real, body })));
  assert.equal(answers.size, 1);
  assert.equal(sync.calls.length, 2);
});

test('a storm of notifications becomes a few hints', async (t) => {
  const drive = await startDriveCore(t);
  const { core, sync, ask } = drive;
  await connected(drive);
  await ask(200, 'POST', `${WEBHOOK}/register`);
  const { promise, resolve } = Promise.withResolvers<void>();
  sync.slowly = promise;
  sync.calls.splice(0);
  let answered = 0;
  const storm = Array.from({ length: 50 }, async () => {
    const { status } = await core.call('POST', WEBHOOK, { token: null, headers: headersOf(drive) });
    answered += 1;
    return status;
  });
  await until(() => answered === 49);
  assert.equal(sync.calls.length, 1);
  resolve();
  assert.deepEqual(new Set(await Promise.all(storm)), new Set([200]));
  assert.equal(sync.calls.length, 2);
});

test('without a public https address no channel is opened, and one that the drive refuses leaves nothing', async (t) => {
  const drive = await startDriveCore(t, { env: { PUBLIC_URL: 'http://canonry.example.com' } });
  await connected(drive);
  const { code, detail } = await drive.ask(409, 'POST', `${WEBHOOK}/register`);
  assert.equal(code, 'not_configured');
  assert.match(String(detail), /PUBLIC_URL/);

  const other = await startDriveCore(t);
  await connected(other);
  const { channel_id } = await other.ask<Status>(200, 'POST', `${WEBHOOK}/register`);
  other.server.faults.next({ match: /watch/, status: 403, reason: 'forbidden', times: 9 });
  await other.ask(403, 'POST', `${WEBHOOK}/register`);
  other.server.faults.clear();
  assert.equal((await other.ask<Status>(200, 'GET', `${WEBHOOK}/status`)).channel_id, channel_id);
});

/** Channels alone, of a connected project. `watch` comes before each one that is opened. */
async function startChannels(t: TestContext, watch = async (channel: NewChannel) => channel) {
  const { core, server } = await startDriveCore(t);
  const clock = createRunningClock();
  const google = createGoogleDrive({ apiBase: server.url });
  t.after(google.close);
  const openDrive: OpenDrive = (tokens) => {
    const drive = google(tokens);
    return { ...drive, watch: async (pageToken, channel) => drive.watch(pageToken, await watch(channel)) };
  };
  const config = { publicUrl: PUBLIC_URL };
  const drives = createDrives({ accounts: createConsents(server), openDrive, config });
  const channels = createDriveChannels({ ...core, clock, log: silentLog, drives, config });
  const write = (work: (db: DriveDb) => Promise<void>) => core.database.tenant('local').write(work);
  const connect = (connection: DriveConnection) => write((db) => putConnection(db, connection, []));
  await connect(CONNECTION);
  return {
    server,
    clock,
    channels,
    connect,
    disconnect: () => write((db) => removeConnection(db, CONNECTION)),
  };
}

test('a channel is renewed on its last day, and none is opened that nobody asked for', async (t) => {
  const { server, clock, channels } = await startChannels(t);
  assert.equal(await channels.renew(CONNECTION), false);
  const first = await channels.register(CONNECTION, PUBLIC_URL);
  assert.equal(await channels.renew(CONNECTION), true);
  assert.equal((await channels.current(CONNECTION))?.channel_id, first.channel_id);
  clock.pass(6 * DAY_MS + 1_000);
  assert.equal(await channels.renew(CONNECTION), true);
  const second = await channels.current(CONNECTION);
  assert.notEqual(second?.channel_id, first.channel_id);
  clock.pass(30 * DAY_MS);
  assert.equal(await channels.current(CONNECTION), null);
  assert.equal(await channels.renew(CONNECTION), true);
  assert.equal(server.channels.size, 1);
});

test('a channel that the drive ends early is renewed near its own end, not in every round', async (t) => {
  const HOUR_MS = 3_600_000;
  const { clock, channels } = await startChannels(t, async (channel) => ({
    ...channel,
    endsAt: clock.now() + HOUR_MS,
  }));
  const first = await channels.register(CONNECTION, PUBLIC_URL);
  assert.equal(await channels.renew(CONNECTION), true);
  assert.equal((await channels.current(CONNECTION))?.channel_id, first.channel_id);
  clock.pass(0.9 * HOUR_MS);
  assert.equal(await channels.renew(CONNECTION), true);
  assert.notEqual((await channels.current(CONNECTION))?.channel_id, first.channel_id);
});

test('a request that waited while the project was disconnected opens no channel', async (t) => {
  const [opening, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { server, clock, channels, disconnect } = await startChannels(t, async (channel) => {
    opening.resolve();
    await goOn.promise;
    return channel;
  });
  const first = channels.register(CONNECTION, PUBLIC_URL);
  await opening.promise;
  const refused = assert.rejects(channels.register(CONNECTION, PUBLIC_URL), {
    status: 409,
    extras: { code: 'no_folder_connected' },
  });
  const renewed = channels.renew(CONNECTION);
  await disconnect();
  clock.pass(7 * DAY_MS);
  goOn.resolve();
  const { channel_id } = await first;
  await refused;
  assert.equal(await renewed, false);
  assert.deepEqual([...server.channels.keys()], [channel_id]);
});

test('the channel of a project that another person connected meanwhile is not renewed', async (t) => {
  const { server, clock, channels, connect } = await startChannels(t);
  const { channel_id } = await channels.register(CONNECTION, PUBLIC_URL);
  await connect({ ...CONNECTION, userId: 'bob' });
  clock.pass(7 * DAY_MS);
  assert.equal(await channels.renew(CONNECTION), false);
  assert.deepEqual([...server.channels.keys()], [channel_id]);
});
