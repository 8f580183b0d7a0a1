import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { PUBLIC_URL, startDriveCore } from '../../../test/support/drive/drive-core.ts';
import { openTestSocket, socketAddress } from '../../../test/support/sockets.ts';
import { until } from '../../../test/support/until.ts';
import { DriveError } from '../../platform/drive/drive.ts';
import { putConnection } from './connections.store.ts';
import type { DriveDb } from './drive.tables.ts';

const UPGRADE_URL = `${PUBLIC_URL}/api/auth/oauth/google/drive`;
const SELECT = '/api/drive-storage/select-folder';

interface Refusal {
  code: string;
  detail: string;
  upgrade_url?: string;
}
interface Status {
  is_active_provider: boolean;
  root_folder_id: string | null;
  root_folder_name: string | null;
  connected_by: string | null;
}

forEachDatabase((_name, open) => {
  test('a folder is chosen, looked into, synced and left, under both prefixes', async (t) => {
    const { core, server, sync, folder, ask } = await startDriveCore(t, { open });
    const world = folder('Saltmarsh');
    server.owner.createFolder(world, 'Characters');
    server.owner.createFile(world, 'readme.md', 'Hello');

    const before = await ask<Status & { login_url: string }>(200, 'GET', '/api/drive-storage/status');
    assert.deepEqual([before.is_active_provider, before.root_folder_id], [false, null]);
    assert.equal(before.login_url, `${PUBLIC_URL}/api/auth/storage-oauth/google`);
    for (const path of ['/api/drive-storage/test', '/api/drive/force-sync'])
      assert.equal((await ask<Refusal>(409, 'POST', path)).code, 'no_folder_connected');

    const chosen = await ask(200, 'POST', SELECT, { body: { folder_id: world } });
    const shown = { folder_id: world, folder_name: 'Saltmarsh', provider: 'google_drive' };
    assert.deepEqual(chosen, { status: 'connected', ...shown });
    assert.deepEqual(sync.calls, ['connected default Saltmarsh']);
    const status = await ask<Status>(200, 'GET', '/api/drive-storage/status');
    assert.deepEqual(status, await ask(200, 'GET', '/api/drive/oauth/status'));
    assert.deepEqual([status.is_active_provider, status.root_folder_id], [true, world]);
    assert.equal(status.connected_by, (await ask(200, 'GET', '/api/auth/me')).user_id);
    const found = { folders_found: 1, files_found: 1, folder_names: ['Characters'] };
    assert.deepEqual(await ask(200, 'POST', '/api/drive/oauth/test'), {
      status: 'ok',
      root_folder_id: world,
      root_folder_name: 'Saltmarsh',
      ...found,
    });
    for (const path of ['/api/drive/force-sync', '/api/drive-storage/force-sync'])
      assert.deepEqual(await ask(200, 'POST', path), {
        status: 'completed',
        results: { entities_created: 1, entities_updated: 2, entities_deleted: 3, assets_synced: 4 },
      });
    sync.fail = new DriveError('quota', 'The drive is full');
    assert.equal((await ask<Refusal>(409, 'POST', '/api/drive/force-sync')).code, 'quota_exceeded');

    const other = folder('Other');
    await ask(200, 'POST', '/api/drive/oauth/select-folder', {
      body: { folder_id: other, folder_name: 'My world' },
    });
    assert.deepEqual(sync.calls.slice(-2), ['disconnected default', 'connected default My world']);
    const left = await ask(200, 'POST', '/api/drive-storage/disconnect');
    assert.deepEqual(left, { status: 'disconnected', provider: 'local_fs' });
    assert.deepEqual(await ask(200, 'POST', '/api/drive/oauth/disconnect'), left);
    assert.equal(sync.calls.filter((call) => call === 'disconnected default').length, 2);
    assert.equal((await ask<Status>(200, 'GET', '/api/drive/oauth/status')).is_active_provider, false);
    assert.ok(server.at('Other') && core);
  });

  test('a folder that cannot be used is refused, and one of another project too', async (t) => {
    const { core, server, folder, ask } = await startDriveCore(t, { open });
    const select = (status: number, folder_id: string, project = 'default') =>
      ask<Refusal>(status, 'POST', SELECT, {
        body: { folder_id },
        headers: { 'x-project-id': project },
      });
    assert.equal((await select(404, 'nowhere')).code, 'no_such_folder');
    await select(422, 'a/b');
    await select(422, "x' or 'y");
    const file = server.owner.createFile(server.rootId, 'a.md', 'a');
    assert.equal((await select(422, file)).code, 'invalid_folder_id');
    const trashed = folder('Trashed');
    server.owner.trash(trashed);
    assert.equal((await select(409, trashed)).code, 'folder_trashed');
    const fixed = folder('Fixed');
    server.setCanEdit(fixed, false);
    assert.equal((await select(403, fixed)).code, 'drive_forbidden');

    const above = folder('Above');
    const world = server.owner.createFolder(above, 'World');
    const below = server.owner.createFolder(world, 'Below');
    await select(200, world);
    await select(200, world);
    for (const [id, place] of [
      [world, 'is the folder'],
      [below, 'lies in the folder'],
      [above, 'contains the folder'],
    ] as const) {
      const { code, detail } = await select(409, id, 'second');
      assert.equal(code, 'folder_in_use');
      assert.match(detail, new RegExp(`${place} of the project 'default'`));
    }
    const theirs = folder('Theirs');
    await core.database.system.write((db: DriveDb) =>
      putConnection(
        db,
        {
          tenantId: 'secret-tenant',
          projectId: 'secret-project',
          rootFolderId: theirs,
          rootFolderName: 'Secret',
          userId: 'somebody',
          source: 'cloud',
          connectedAt: '2026-03-04T05:06:07.890Z',
        },
        [],
      ),
    );
    const { detail } = await select(409, theirs);
    assert.ok(!/secret/i.test(detail), detail);
    const both = folder('Both');
    const replies = await Promise.all(
      ['third', 'fourth'].map((project) =>
        core.call('POST', SELECT, { body: { folder_id: both }, headers: { 'x-project-id': project } }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    server.owner.trash(world);
    assert.equal((await ask<Refusal>(409, 'POST', '/api/drive-storage/test')).code, 'root_folder_missing');
  });
});

test('folders are listed in pages', async (t) => {
  const { server, folder, ask } = await startDriveCore(t);
  for (const name of ['One', 'Two', 'Three']) folder(name);
  server.owner.createFolder(server.rootId, 'Hidden', { visible: false });
  const inOne = server.owner.createFolder(server.at('One')?.id ?? '', 'Inside');
  server.owner.createFile(server.rootId, 'no-folder.md', 'x');
  interface Folders {
    folders: { id: string; name: string; modified_time: string }[];
    next_page_token: string | null;
    parent_id: string | null;
  }
  const seen: string[] = [];
  let token = '';
  do {
    const page = await ask<Folders>(
      200,
      'GET',
      `/api/drive-storage/folders?page_size=2&parent_id=${server.rootId}${token && `&page_token=${encodeURIComponent(token)}`}`,
    );
    assert.equal(page.parent_id, server.rootId);
    seen.push(...page.folders.map(({ name }) => name));
    token = page.next_page_token ?? '';
  } while (token !== '');
  assert.deepEqual(seen.sort(), ['One', 'Three', 'Two']);
  const { folders } = await ask<Folders>(
    200,
    'GET',
    `/api/drive/oauth/folders?parent_id=${server.at('One')?.id}`,
  );
  assert.deepEqual(
    folders.map(({ id }) => id),
    [inOne],
  );
  const picked = server.owner.createFolder(
    server.owner.createFolder(server.rootId, 'Unseen', { visible: false }),
    'Picked',
  );
  const top = await ask<Folders>(200, 'GET', '/api/drive-storage/folders');
  assert.deepEqual(top.folders.map(({ name }) => name).sort(), ['One', 'Picked', 'Three', 'Two']);
  assert.ok(top.folders.some(({ id }) => id === picked));
  const shared = server.addSharedDrive('Team');
  server.owner.createFolder(shared, 'Ours');
  const withShared = await ask<Folders>(200, 'GET', '/api/drive-storage/folders');
  assert.ok(
    withShared.folders.some(({ name }) => name === 'Ours'),
    'no list shows a shared drive itself, in which it could be found',
  );
  await ask(422, 'GET', '/api/drive-storage/folders?page_size=201');
  await ask(422, 'GET', "/api/drive-storage/folders?parent_id=x'%20in%20parents");
  const { code } = await ask<Refusal>(400, 'GET', '/api/drive-storage/folders?page_token=nonsense');
  assert.equal(code, 'invalid_page_token');
});

test('a first folder is made and chosen, since a new account has none that can be seen', async (t) => {
  const { core, server, consents, ask } = await startDriveCore(t);
  const url = '/api/drive-storage/folders';
  interface Folder {
    id: string;
    name: string;
    modified_time: string;
  }
  const make = <Body = Folder>(status: number, body: object, token?: string) =>
    ask<Body>(status, 'POST', url, { body, ...(token !== undefined && { token }) });
  assert.deepEqual((await ask<{ folders: Folder[] }>(200, 'GET', url)).folders, []);
  const made = await make(201, { name: 'Saltmarsh' });
  assert.deepEqual(Object.keys(made), ['id', 'name', 'modified_time']);
  assert.equal(server.at('Saltmarsh')?.id, made.id);
  assert.deepEqual((await ask<{ folders: Folder[] }>(200, 'GET', url)).folders, [made]);
  await ask(200, 'POST', SELECT, { body: { folder_id: made.id } });
  const inside = await make(201, { name: `Mira's "2\\" ${'ä'.repeat(240)}`, parent_id: made.id });
  assert.equal(server.file(inside.id)?.parentId, made.id);
  await make(201, { name: 'Beside', parent_id: 'root' });
  assert.ok(server.at('Beside'));

  for (const name of ['', 'a/b', 'a\nb', 'a\u0085b', 'x'.repeat(256)]) await make(422, { name });
  await make(422, { name: 'a', parent_id: "x' or 'y" });
  assert.equal((await make<Refusal>(404, { name: 'a', parent_id: 'nowhere' })).code, 'no_such_folder');
  const file = server.owner.createFile(server.rootId, 'a.md', 'a');
  assert.equal((await make<Refusal>(422, { name: 'a', parent_id: file })).code, 'invalid_parent_id');
  server.setCanEdit(made.id, false);
  assert.equal((await make<Refusal>(403, { name: 'a', parent_id: made.id })).code, 'drive_forbidden');
  await make(403, { name: 'a' }, await core.registerViewer());
  const { key } = await ask<{ key: string }>(201, 'POST', '/api/api-keys', { body: { name: 'robot' } });
  assert.equal((await make<Refusal>(403, { name: 'a' }, key)).code, 'insufficient_scope');
  consents.consent = { ...consents.consent, scopes: [] };
  const unscoped = await make<Refusal>(403, { name: 'a' });
  assert.deepEqual([unscoped.code, unscoped.upgrade_url], ['insufficient_scope', UPGRADE_URL]);
  assert.equal(server.at('a'), undefined);
});

test('without a provider, a consent, a scope, a plan or a role, the answer says what is missing', async (t) => {
  const { core, server, consents, folder, ask } = await startDriveCore(t);
  const body = { folder_id: folder('World') };
  const { consent } = consents;

  consents.consent = { ...consent, scopes: [] };
  const scope = await ask<Refusal>(403, 'POST', SELECT, { body });
  assert.deepEqual([scope.code, scope.upgrade_url], ['insufficient_scope', UPGRADE_URL]);
  const upgradable = await ask(200, 'GET', '/api/drive/status');
  assert.deepEqual([upgradable.connected, upgradable.upgrade_url], [true, UPGRADE_URL]);

  consents.consent = { ...consent, isConnected: false, problem: 'Google ended the access' };
  const ended = await ask<Refusal>(409, 'POST', SELECT, { body });
  assert.deepEqual([ended.code, ended.detail], ['not_connected', 'Google ended the access']);
  assert.equal(ended.upgrade_url, UPGRADE_URL);

  consents.consent = { ...consent, isConfigured: false, isConnected: false, provider: null };
  for (const [method, path] of [
    ['POST', SELECT],
    ['GET', '/api/drive-storage/folders'],
    ['GET', '/api/drive/files'],
    ['GET', '/api/drive/cloud-sync-status'],
  ] as const) {
    const { code, detail } = await ask<Refusal>(409, method, path, method === 'POST' ? { body } : {});
    assert.equal(code, 'not_configured');
    assert.match(detail, /OAUTH_GOOGLE_CLIENT_ID and OAUTH_GOOGLE_CLIENT_SECRET/);
  }
  const unconfigured = await ask(200, 'GET', '/api/drive/status');
  assert.deepEqual([unconfigured.configured, unconfigured.upgrade_url], [false, null]);

  consents.consent = consent;
  server.scopes.clear();
  const atDrive = await ask<Refusal>(403, 'POST', SELECT, { body });
  assert.deepEqual([atDrive.code, atDrive.upgrade_url], ['insufficient_scope', UPGRADE_URL]);
  server.revoke();
  const revoked = await ask<Refusal>(409, 'POST', SELECT, { body });
  assert.deepEqual([revoked.code, revoked.upgrade_url], ['not_connected', UPGRADE_URL]);

  const viewer = await core.registerViewer();
  await ask(403, 'POST', SELECT, { token: viewer, body });
  await ask(403, 'POST', '/api/drive/force-sync', { token: viewer });
  await ask(200, 'GET', '/api/drive-storage/status', { token: viewer });
  const { key } = await ask<{ key: string }>(201, 'POST', '/api/api-keys', { body: { name: 'robot' } });
  const refused: [string, string, object?][] = [
    ['POST', SELECT, body],
    ['POST', '/api/drive-storage/disconnect'],
    ['POST', '/api/drive-storage/register-desktop-tokens', { root_folder_id: body.folder_id }],
    ['POST', '/api/drive/webhook/register'],
    ['DELETE', '/api/drive/webhook/unregister'],
  ];
  for (const [method, path, sent] of refused) {
    const options = { token: key, ...(sent && { body: sent }) };
    assert.equal((await ask<Refusal>(403, method, path, options)).code, 'insufficient_scope', path);
  }
  await ask(401, 'GET', '/api/drive/status', { token: null });
});

test('a plan without the feature gets nothing of it', async (t) => {
  const { ask } = await startDriveCore(t, { env: { LOCAL_PLAN: 'free' } });
  for (const path of ['/api/drive/status', '/api/drive-storage/folders', '/api/drive/files'])
    assert.equal((await ask<Refusal>(403, 'GET', path)).code, 'feature_unavailable');
});

test('the tokens of a desktop app are handed to the accounts service, and its folder is connected', async (t) => {
  const { consents, sync, folder, ask } = await startDriveCore(t);
  const [first, second] = [folder('First'), folder('Second')];
  const url = '/api/drive-storage/register-desktop-tokens';
  const tokens = { access_token: 'ya29.a', refresh_token: '1//r', token_expires: '2026-03-04T05:06:07Z' };
  const reply = await ask(200, 'POST', url, { body: { ...tokens, root_folder_id: first } });
  assert.deepEqual(reply, {
    status: 'registered',
    folder_id: first,
    folder_name: 'First',
    provider: 'google_drive',
    source: 'desktop',
  });
  await ask(200, 'POST', url, { body: { root_folder_id: second, root_folder_name: 'Two' } });
  assert.deepEqual(consents.kept, [
    { accessToken: 'ya29.a', refreshToken: '1//r', expiresAt: '2026-03-04T05:06:07Z' },
  ]);
  assert.equal(sync.calls.at(-1), 'connected default Two');
  await ask(422, 'POST', url, { body: { access_token: 'a\r\nb', root_folder_id: first } });
});

test('the tokens of a desktop app are kept once its folder is found with them', async (t) => {
  const { consents, server, sync, folder, ask } = await startDriveCore(t);
  const world = folder('World');
  const taken = folder('Taken');
  await ask(200, 'POST', SELECT, { body: { folder_id: taken }, headers: { 'x-project-id': 'second' } });
  const trashed = folder('Trashed');
  server.owner.trash(trashed);
  const register = (status: number, body: object, project = 'default') =>
    ask<Refusal>(status, 'POST', '/api/drive-storage/register-desktop-tokens', {
      body: { root_folder_id: world, ...body },
      headers: { 'x-project-id': project },
    });
  const access_token = server.token;
  const refused: [number, string, object][] = [
    [404, 'no_such_folder', { root_folder_id: 'nowhere' }],
    [422, 'invalid_folder_id', { root_folder_id: server.owner.createFile(world, 'a.md', 'a') }],
    [409, 'folder_trashed', { root_folder_id: trashed }],
    [409, 'folder_in_use', { root_folder_id: taken }],
    [409, 'not_connected', { access_token: 'ya29.ended' }],
  ];
  for (const [status, code, body] of refused)
    assert.equal((await register(status, { access_token, ...body })).code, code);
  await register(422, { access_token }, 'no project');
  const { consent } = consents;
  consents.consent = { ...consent, isConfigured: false, isConnected: false, provider: null };
  assert.equal((await register(409, { access_token })).code, 'not_configured');
  assert.deepEqual(consents.kept, []);

  // The first tokens of a user.
  consents.consent = { ...consent, isConnected: false };
  const keepTokens = consents.keepTokens;
  consents.keepTokens = async (userId, tokens) => {
    consents.consent = consent;
    return keepTokens(userId, tokens);
  };
  await register(200, { access_token });
  await register(200, { access_token: 'ya29.ended', refresh_token: '1//r' });
  await register(200, { refresh_token: '1//s' });
  assert.deepEqual(consents.kept, [
    { accessToken: access_token },
    { accessToken: 'ya29.ended', refreshToken: '1//r' },
    { refreshToken: '1//s' },
  ]);
  assert.equal(sync.calls.at(-1), 'connected default World');
});

test('the state of the sync, of desktop apps and of the consent is shown', async (t) => {
  const { core, consents, folder, ask } = await startDriveCore(t);
  const url = '/api/drive-storage/cloud-sync-status';
  const nothing = {
    sync_worker: null,
    desktop_presence: { online: false, sessions: 0 },
    token_health: {
      healthy: true,
      last_refresh: consents.consent.refreshedAt,
      refreshes_remaining: null,
    },
  };
  assert.deepEqual(await ask(200, 'GET', url), nothing);
  await ask(200, 'POST', SELECT, { body: { folder_id: folder('World') } });
  const desktop = await openTestSocket(await socketAddress(core.app), {
    token: core.adminToken,
    client: 'desktop',
  });
  await desktop.next('ready');
  interface SyncStatus {
    sync_worker: { entities_synced: number };
    desktop_presence: object;
  }
  let status: SyncStatus | undefined;
  await until(async () => {
    status = await ask<SyncStatus>(200, 'GET', '/api/drive/cloud-sync-status');
    return JSON.stringify(status.desktop_presence) === '{"online":true,"sessions":1}';
  });
  assert.equal(status?.sync_worker.entities_synced, 5);
  desktop.peer.close();
});
