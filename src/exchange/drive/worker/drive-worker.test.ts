import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { coreTexts, driveTexts, startSyncedCore } from '../../../../test/support/drive/synced-core.ts';
import { openTestSocket, socketAddress } from '../../../../test/support/sockets.ts';
import { until } from '../../../../test/support/until.ts';

const WEBHOOK = '/api/drive/webhook';
const ADA = 'Characters/ada/CH_ada.md';
const PEOPLE = ['ada', 'bo', 'cy', 'di', 'ed', 'flo', 'gus', 'hal', 'ivy', 'jo'];

forEachDatabase((_name, open) => {
  test('both sides get what changes on the other, and a reconnection goes on', async (t) => {
    const synced = await startSyncedCore(t, { open });
    const { core, server, folderId, rounds, alike, isAlike, worker, select, character, ask } = synced;
    await character('ada');
    assert.equal(await worker(), null);
    await select();
    await alike();
    await until(async () => (await worker())?.running === false);
    const first = await worker();
    assert.deepEqual([first?.entities_synced, first?.last_error], [1, null]);
    assert.ok((first?.assets_synced ?? 0) > 0 && first?.last_sync);

    const mira = server.person('Mira');
    mira.edit(
      server.at(ADA, folderId)?.id ?? '',
      (driveTexts(server, folderId)[ADA] ?? '').replace('Of ada', 'By Mira'),
    );
    await rounds(() => /By Mira/.test(coreTexts(core.contentDir)[ADA] ?? ''));
    await character('bo');
    await until(() => server.at('Characters/bo/CH_bo.md', folderId) !== undefined);

    await ask(200, 'POST', '/api/drive-storage/disconnect');
    assert.equal(await worker(), null);
    const there = driveTexts(server, folderId);
    await character('cy');
    mira.createFile(folderId, 'notes.txt', 'Left there');
    synced.pass(3_600_000);
    assert.ok(ADA in there && ADA in coreTexts(core.contentDir));

    await select();
    await alike();
    assert.equal(coreTexts(core.contentDir)['notes.txt'], 'Left there');
    assert.ok(isAlike() && server.at('Characters/cy/CH_cy.md', folderId));
    const { conflicts } = await ask<{ conflicts: unknown[] }>(200, 'GET', '/api/conflicts');
    assert.deepEqual(conflicts, []);
    assert.equal((await worker())?.last_error, null);
  });

  test('a forced sync says what it did, and follows what was too much to be followed unasked', async (t) => {
    const synced = await startSyncedCore(t, { open });
    const { core, server, folderId, alike, rounds, worker, force, select, character, isAlike } = synced;
    for (const id of PEOPLE) await character(id);
    await select();
    const { results } = await force();
    await alike();
    assert.equal((results.entities_created ?? 0) <= PEOPLE.length, true);
    for (const id of PEOPLE.slice(1)) server.owner.trash(server.at(`Characters/${id}`, folderId)?.id ?? '');
    await rounds(async () => /force a sync/.test((await worker())?.last_error ?? ''), worker);
    assert.equal(
      Object.keys(coreTexts(core.contentDir)).filter((path) => /^Characters/.test(path)).length,
      10,
    );
    const forced = await force();
    assert.equal(forced.results.entities_deleted, 9);
    assert.ok(isAlike());
    assert.equal((await worker())?.last_error, null);
    assert.deepEqual((await force()).results, {
      entities_created: 0,
      entities_updated: 0,
      entities_deleted: 0,
      assets_synced: 0,
    });
  });
});

test('a notification is followed by a round, and a storm of them by few', async (t) => {
  const { core, server, folderId, alike, select, ask, asked, worker, character } = await startSyncedCore(t);
  await character('ada');
  await select();
  await ask(200, 'POST', `${WEBHOOK}/register`);
  await alike();
  await until(async () => (await worker())?.running === false);
  const [channel] = [...server.channels.values()];
  assert.ok(channel);
  const headers = {
    'x-goog-channel-id': channel.id,
    'x-goog-resource-id': channel.resourceId,
    'x-goog-channel-token': channel.token,
    'x-goog-resource-state': 'change',
  };
  server.person('Mira').createFile(folderId, 'notes.txt', 'News');
  const before = asked();
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => core.call('POST', WEBHOOK, { token: null, headers })),
  );
  assert.ok(replies.every(({ status }) => status === 200));
  await until(() => coreTexts(core.contentDir)['notes.txt'] === 'News');
  await until(async () => (await worker())?.running === false);
  // Among them is the one after the file was written here.
  assert.ok(asked() - before <= 5, String(asked() - before));
});

test('without a channel the drive is asked every minute, with one less often', async (t) => {
  const { select, ask, asked, alike, worker, pass } = await startSyncedCore(t);
  await select();
  await alike();
  const quiet = async () => {
    let before = -1;
    await until(async () => {
      const [now, state] = [asked(), await worker()];
      const isQuiet = now === before && state?.running === false;
      before = now;
      if (!isQuiet) await new Promise((resolve) => setTimeout(resolve, 2_500));
      return isQuiet;
    });
    return asked();
  };
  const first = await quiet();
  pass(61_000);
  await until(() => asked() > first);
  await ask(200, 'POST', `${WEBHOOK}/register`);
  await quiet();
  // The round after which the next one is far away.
  pass(61_000);
  const third = await quiet();
  pass(120_000);
  assert.equal(await quiet(), third);
  pass(600_000);
  await until(() => asked() > third);
});

test('of the projects of one tenant one at a time is synced, unless the user asks for another', async (t) => {
  const { server, folderId, folder, ask, select, character } = await startSyncedCore(t);
  await character('ada');
  const { id } = await ask<{ id: string }>(201, 'POST', '/api/projects', {
    body: { name: 'Second world', start: 'starter' },
  });
  const other = `project_id=${id}`;
  const otherFolder = folder('Second world');
  await ask(201, 'POST', `/api/entity/character?${other}`, { body: { entity_id: 'bo', name: 'bo' } });
  server.faults.next({ match: /startPageToken/, delayMs: 3_000 });
  const isFilled = (rootId: string) => server.tree(rootId).length > 0;
  await select();
  await until(() => server.requests.some(({ path }) => /startPageToken/.test(path)));
  await ask(200, 'POST', `/api/drive-storage/select-folder?${other}`, { body: { folder_id: otherFolder } });
  await until(() => isFilled(otherFolder) || isFilled(folderId));
  assert.deepEqual([isFilled(folderId), isFilled(otherFolder)], [true, false]);
  await until(() => isFilled(otherFolder));

  server.faults.next({ match: /changes/, delayMs: 10_000 });
  await character('cy');
  const asked = server.requests.length;
  await until(() => server.requests.length > asked);
  await ask(200, 'POST', `/api/drive-storage/force-sync?${other}`);
  assert.equal(server.at('Characters/cy', folderId), undefined);
});

test('an ended consent and a folder in the trash are told, and nothing is deleted', async (t) => {
  const synced = await startSyncedCore(t);
  const { core, server, folderId, rounds, alike, worker, force, select, character } = synced;
  await character('ada');
  await select();
  await alike();
  const here = coreTexts(core.contentDir);

  server.owner.trash(folderId);
  await rounds(async () => /lies in the trash/.test((await worker())?.last_error ?? ''), worker);
  assert.equal((await force(403)).code, 'drive_forbidden');
  assert.deepEqual(coreTexts(core.contentDir), here);
  server.owner.untrash(folderId);
  await rounds(async () => (await worker())?.last_error === null, worker);

  server.revoke();
  await rounds(async () => /connect the drive again/.test((await worker())?.last_error ?? ''), worker);
  assert.equal((await force(409)).code, 'not_connected');
  assert.deepEqual(coreTexts(core.contentDir), here);
  assert.ok(ADA in driveTexts(server, folderId));
  server.issueToken();
  await force();
  assert.equal((await worker())?.last_error, null);
  assert.deepEqual(coreTexts(core.contentDir), here);
});

test('a drive that is down is a 503, and the pauses between the tries grow', async (t) => {
  const { server, alike, force, select, worker, rounds } = await startSyncedCore(t);
  await select();
  await alike();
  server.faults.next({ status: 429, times: 1_000, retryAfter: 40 });
  const { code } = await force(503);
  assert.equal(code, 'drive_limited');
  await rounds(async () => (await worker())?.last_error !== null, worker);
  server.faults.clear();
  await rounds(async () => (await worker())?.last_error === null, worker);
});

test('files that are no longer visible stay, and a forced sync writes them to the drive again', async (t) => {
  const synced = await startSyncedCore(t);
  const { core, server, folderId, rounds, alike, worker, force, select, character } = synced;
  await character('ada');
  await select();
  await alike();
  const here = coreTexts(core.contentDir);
  const id = server.at(ADA, folderId)?.id ?? '';
  server.owner.remove(id);
  await rounds(async () => /1 file is no longer visible/.test((await worker())?.last_error ?? ''), worker);
  assert.deepEqual(coreTexts(core.contentDir), here);
  await force();
  assert.equal(driveTexts(server, folderId)[ADA], here[ADA]);
  assert.equal((await worker())?.last_error, null);
});

test('while a desktop app syncs, the core does not, unless it is asked to', async (t) => {
  const { core, folderId, server, ask, asked, force, pass, isAlike, character, rounds } =
    await startSyncedCore(t);
  const desktop = await openTestSocket(await socketAddress(core.app), {
    token: core.adminToken,
    client: 'desktop',
  });
  await desktop.next('ready');
  const status = () =>
    ask<{ desktop_presence: { online: boolean } }>(200, 'GET', '/api/drive/cloud-sync-status');
  await until(async () => (await status()).desktop_presence.online);
  await character('ada');
  await ask(200, 'POST', '/api/drive-storage/register-desktop-tokens', {
    body: { access_token: server.token, root_folder_id: folderId },
  });
  pass(120_000);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  assert.deepEqual([asked(), server.tree(folderId)], [0, []]);
  const { results } = await force();
  assert.equal(results.entities_created, 1);
  assert.ok(isAlike());
  const before = asked();
  desktop.peer.close();
  await desktop.closed;
  await rounds(() => asked() > before);
});

test('a full drive is told, and everything else goes on', async (t) => {
  const { core, server, folderId, rounds, alike, worker, select, character } = await startSyncedCore(t);
  await character('ada');
  await select();
  await alike();
  server.storageLimit = server.storageUsed;
  await character('bo');
  await rounds(async () => /CH_bo|character\/bo/.test((await worker())?.last_error ?? ''), worker);
  server.person('Mira').createFile(folderId, 'notes.txt', 'News');
  await rounds(() => coreTexts(core.contentDir)['notes.txt'] === 'News');
  server.storageLimit = null;
  await alike();
  await rounds(async () => (await worker())?.last_error === null, worker);
});
