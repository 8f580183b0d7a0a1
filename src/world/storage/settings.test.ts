import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { startS3 } from '../../../test/support/storage/s3-server.ts';
import { type StorageService, startStorage } from '../../../test/support/storage/service.ts';
import { BLOB_LIMITS } from '../../platform/blobs/blobs.ts';
import { openBlobs } from '../../surfaces/open-blobs.ts';
import { putContentRow } from './content-place.store.ts';
import { knownPaths } from './moves.store.ts';
import type { StorageDb, StorageSettingsRow, StorageTables } from './storage.tables.ts';

const rowsOf = ({ opened }: StorageService, tenant = 'local') =>
  opened.database
    .tenant(tenant)
    .read((db: Kysely<StorageTables>) =>
      db.selectFrom('storage_settings').selectAll().where('tenant_id', '=', tenant).execute(),
    );

forEachDatabase((_name, open) => {
  test('credentials are stored sealed and shown masked', async (t) => {
    const [service, server] = [await startStorage(t, { open }), await startS3(t)];
    const { status, text } = await service.put(server.place);
    assert.equal(status, 200, text);
    const shown = await service.get();
    assert.equal(shown.text, text);
    const { updated_at, ...rest } = shown.body;
    assert.ok(Math.abs(Date.parse(String(updated_at)) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      configured: true,
      is_default: false,
      provider: 's3',
      bucket: server.place.bucket,
      region: server.place.region,
      endpoint: server.url,
      path_style: true,
      access_key: '***',
      secret_key: '***',
      content: { provider: 's3', location: server.place.bucket, endpoint: server.url, is_here: true },
      updated_by: 'mara',
    });
    const kept = JSON.stringify(await rowsOf(service));
    for (const secret of [server.account.secretKey, server.account.accessKey])
      assert.ok(![kept, text, ...service.logged].some((each) => each.includes(secret)));
  });

  test('of two changes at once one is kept as a whole', async (t) => {
    const service = await startStorage(t, { open });
    const servers = [await startS3(t), await startS3(t)];
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all(servers.map(({ place }) => service.put(place)));
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200],
      );
      const { body } = await service.get();
      const store = await service.stores.of('local', 'default');
      await store.put(`round-${round}`, Buffer.from('x'));
      const holder = servers.find(({ url }) => url === body.endpoint);
      assert.ok(
        holder?.keys().includes(`local/default/round-${round}`),
        'the address and its keys belong together',
      );
    }
    assert.equal((await rowsOf(service)).length, 1);
  });

  test('each tenant has its own, and its files apart from those of others', async (t) => {
    const service = await startStorage(t, { open, deployment: 'core' });
    const server = await startS3(t);
    for (const tenant of ['one', 'two']) await service.put(server.place, tenant);
    for (const tenant of ['one', 'two']) {
      const store = await service.stores.of(tenant, 'default');
      await store.put('same', Buffer.from(tenant));
      assert.equal((await store.list({ prefix: '', limit: 10 })).blobs.length, 1);
    }
    assert.deepEqual(server.keys(), ['one/default/same', 'two/default/same']);
    assert.equal((await service.get('/api/settings/storage', 'three')).body.is_default, true);
  });

  test('a change counts at once', async (t) => {
    const service = await startStorage(t, { open });
    const [first, second] = [await startS3(t), await startS3(t)];
    await service.put(first.place);
    await (await service.stores.of('local', 'default')).put('a', Buffer.from('x'));
    await service.put(second.place);
    await (await service.stores.of('local', 'default')).put('b', Buffer.from('x'));
    assert.deepEqual([first.keys(), second.keys()], [['local/default/a'], ['local/default/b']]);
  });
});

test('while nothing is set, the files of a project lie in its folder', async (t) => {
  const service = await startStorage(t);
  const { body } = await service.get();
  assert.deepEqual([body.configured, body.is_default, body.path], [true, true, service.contentDir]);
  const info = (await service.get('/api/storage/info')).body;
  assert.deepEqual([info.provider, info.location], ['local', service.contentDir]);
  const [total = 0, available = 0, used = 0] = ['total', 'available', 'used'].map((name) =>
    Number(info[`${name}_bytes`]),
  );
  assert.ok(total > 0 && available <= total && used <= total);
  assert.equal(await service.isConfigured('local'), true);
  const store = await service.stores.of('local', 'default');
  await store.put('Characters/mira/images/a.png', Buffer.from('x'));
  assert.equal((await store.stat('Characters/mira/images/a.png'))?.size, 1);
});

test('the folder of the content is the way back to what is not set', async (t) => {
  const [service, server] = [await startStorage(t), await startS3(t)];
  await service.put(server.place);
  const { status, body } = await service.put({ provider: 'local', path: service.contentDir });
  assert.deepEqual([status, body.is_default, body.path], [200, true, service.contentDir]);
  assert.deepEqual(await rowsOf(service), []);
});

test('settings that were sealed for somebody else, or under another key, are told as that', async (t) => {
  const [service, server] = [await startStorage(t), await startS3(t)];
  await service.put(server.place);
  const [row] = await rowsOf(service);
  const stolen = { ...row, tenant_id: 'other' } as StorageSettingsRow;
  await service.opened.database
    .tenant('other')
    .write((db: Kysely<StorageTables>) => db.insertInto('storage_settings').values(stolen).execute());
  const { status, body } = await service.get('/api/settings/storage', 'other');
  assert.deepEqual([status, body.code], [409, 'storage_unreadable']);
  assert.match(body.detail, /ENCRYPTION_KEY/);
});

test('with another ENCRYPTION_KEY, new credentials are taken for the place that holds the content', async (t) => {
  const server = await startS3(t);
  const core = await startCore({ env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } });
  t.after(() => core.close());
  saveFile(join(core.contentDir, 'Assets/note.csv'), 'a,b');
  assert.equal((await core.call('POST', '/api/assets/scan', { body: {} })).status, 200);
  const tenant = core.database.tenant('local');
  const paths = await tenant.read((db: StorageDb) => knownPaths(db, 'local', 'default'));
  assert.ok(paths.length > 0);
  await tenant.write((db: StorageDb) =>
    putContentRow(db, { tenant_id: 'local', revision: 'x', place: 'sealed elsewhere', frozen_until: 0 }),
  );
  const put = () => core.call('PUT', '/api/settings/storage', { body: server.place });
  const refused = await put();
  assert.deepEqual([refused.status, refused.body.code], [409, 'storage_unreadable'], refused.text);
  const blobs = await openBlobs(server.place, BLOB_LIMITS, 'admitted');
  t.after(() => blobs.close());
  for (const path of paths.slice(0, 50)) await blobs.put(`local/default/${path}`, Buffer.from(path));
  const { status, text, body } = await put();
  assert.equal(status, 200, text);
  assert.equal((body.content as { is_here: boolean }).is_here, true);
});

test('a whole core takes settings from its admin and says so in its usage', async (t) => {
  const server = await startS3(t);
  const core = await startCore({ env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } });
  t.after(() => core.close());
  const { status, text } = await core.call('PUT', '/api/settings/storage', { body: server.place });
  assert.equal(status, 200, text);
  assert.equal((await core.call('GET', '/api/storage/info')).body.provider, 's3');
  assert.equal((await core.call('GET', '/api/tenant/usage')).body.storage_configured, true);
  const token = await core.registerViewer();
  for (const url of ['/api/settings/storage', '/api/storage/info'])
    assert.equal((await core.call('GET', url, { token })).status, 403);
});

test('what is known of a bucket is where it is', async (t) => {
  const [service, server] = [await startStorage(t), await startS3(t)];
  await service.put(server.place);
  assert.deepEqual((await service.get('/api/storage/info')).body, {
    provider: 's3',
    location: server.place.bucket,
    endpoint: server.url,
    total_bytes: null,
    available_bytes: null,
    used_bytes: null,
  });
});

test('the cloud has no folders, and no storage until it is set', async (t) => {
  const service = await startStorage(t, { deployment: 'cloud' });
  assert.equal(await service.isConfigured('one'), false);
  assert.deepEqual((await service.get()).body, {
    configured: false,
    is_default: true,
    provider: null,
    content: { provider: 'local', location: null, endpoint: null, is_here: true },
    updated_at: null,
    updated_by: null,
  });
  const info = await service.get('/api/storage/info');
  assert.deepEqual([info.status, info.body.code], [409, 'storage_not_configured']);
  assert.match(info.body.detail, /PUT \/api\/settings\/storage/);
  const folder = await service.put({ provider: 'local', path: service.folder });
  assert.deepEqual([folder.status, folder.body.code], [400, 'no_local_storage']);
});

test('a private address is reached only where that is allowed', async (t) => {
  const server = await startS3(t);
  const careful = await startStorage(t, { allowPrivateEndpoints: false });
  const { status, body } = await careful.put(server.place);
  assert.equal(status, 400);
  assert.match(body.detail, /private address\. Set ALLOW_PRIVATE_ENDPOINTS=true/);
  const cloud = await startStorage(t, { deployment: 'cloud' });
  for (const endpoint of [
    server.url,
    server.url.replace('127.0.0.1', 'localhost'),
    'http://169.254.169.254',
    'http://[::ffff:127.0.0.1]',
  ]) {
    const reply = await cloud.put({ ...server.place, endpoint });
    assert.equal(reply.status, 400, endpoint);
    assert.doesNotMatch(reply.body.detail, /ALLOW_PRIVATE/);
  }
  assert.deepEqual(server.requests, []);
});

test('folders of the service are no storage', async (t) => {
  const service = await startStorage(t);
  const link = join(service.folder, 'link');
  symlinkSync(service.dataDir, link);
  const taken = [
    service.dataDir,
    join(service.contentDir, 'x'),
    join(service.dataDir, 'x'),
    join(service.dataDir, '..'),
    '/',
    link,
  ];
  for (const path of taken) {
    const { status, body } = await service.put({ provider: 'local', path });
    assert.deepEqual([status, body.code], [400, 'folder_taken'], path);
  }
});

const s3 = { provider: 's3', bucket: 'worlds', access_key: 'key', secret_key: 'secret' };
const azure = { provider: 'azure', container: 'worlds', account: 'account', account_key: 'a2V5' };

test('settings that cannot be meant are told field by field, and nobody is asked', async (t) => {
  const service = await startStorage(t);
  const wrongs: [object, string][] = [
    [{ provider: 'local' }, 'path'],
    [{ provider: 'local', path: 'relative' }, 'path'],
    [{ provider: 'local', path: service.folder, bucket: 'x' }, 'bucket'],
    [{ ...s3, bucket: undefined }, 'bucket'],
    [{ ...s3, bucket: 'a/b' }, 'bucket'],
    [{ ...s3, secret_key: undefined }, 'secret_key'],
    [{ ...s3, secret_key: 'two\nlines' }, 'secret_key'],
    [{ ...s3, endpoint: 'ftp://example.com' }, 'endpoint'],
    [{ ...s3, endpoint: 'https://user:password@example.com' }, 'endpoint'],
    [{ ...s3, endpoint: 'nonsense' }, 'endpoint'],
    [{ ...s3, region: 'a b' }, 'region'],
    [{ ...s3, path: '/x' }, 'path'],
    [{ ...azure, container: undefined }, 'container'],
    [{ ...azure, account_key: undefined }, 'account_key'],
    [{ ...azure, account: undefined }, 'account'],
    [{ ...azure, sas_token: 'sv=1' }, 'sas_token'],
    [{ ...azure, account_key: 'not base64!' }, 'account_key'],
  ];
  for (const [body, field] of wrongs) {
    const reply = await service.put(body);
    assert.equal(reply.status, 422, reply.text);
    const errors = reply.body.errors as { field: string }[];
    assert.ok(
      errors.some((error) => error.field === field),
      `${field}: ${reply.text}`,
    );
    assert.doesNotMatch(reply.text, /password|two/);
  }
  assert.equal((await service.get()).body.is_default, true);
});

test('a drive is refused with a word on where it belongs, and what is unknown with what there is', async (t) => {
  const service = await startStorage(t);
  for (const provider of ['google_drive', 'gdrive', 'Dropbox', 'onedrive', 'box', 'sharepoint']) {
    const { status, body } = await service.put({ provider });
    assert.deepEqual([status, body.code], [400, 'provider_elsewhere'], provider);
    assert.match(body.detail, /\/api\/drive-storage\/select-folder/);
  }
  const { status, body } = await service.put({ provider: 'gcs' });
  assert.equal(status, 422);
  assert.match(body.detail, /one of local, s3, azure/);
});
