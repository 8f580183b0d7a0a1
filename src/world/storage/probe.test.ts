import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { startAzurite, type TestAzure } from '../../../test/support/storage/azurite.ts';
import type { S3Operation } from '../../../test/support/storage/s3-objects.ts';
import { type Misbehaviour, startS3, type TestS3 } from '../../../test/support/storage/s3-server.ts';
import {
  type StorageReply,
  type StorageService,
  startStorage,
} from '../../../test/support/storage/service.ts';

const SENTINEL = /\.sb-probe-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.tmp/;

/** A service with its files in a folder, and a bucket to move them to. */
async function start(t: TestContext, isHasty = false): Promise<{ service: StorageService; server: TestS3 }> {
  const [service, server] = [await startStorage(t, { isHasty }), await startS3(t)];
  assert.equal((await service.put({ provider: 'local', path: service.folder })).status, 200);
  return { service, server };
}

async function refused(service: StorageService, body: object, expected: RegExp): Promise<StorageReply> {
  const stored = (await service.get()).text;
  const reply = await service.put(body);
  assert.equal(reply.status, 400, reply.text);
  assert.equal(reply.body.code, 'storage_probe_failed');
  assert.equal(reply.body.provider, (body as { provider: string }).provider);
  assert.match(reply.body.detail, expected);
  assert.doesNotMatch(reply.text, SENTINEL);
  assert.equal((await service.get()).text, stored, 'what was set stays in force');
  return reply;
}

describe('the trial of a storage', () => {
  test('writes, reads and deletes one object, and asks for nothing else', async (t) => {
    const { service, server } = await start(t);
    const { status, text } = await service.put(server.place);
    assert.equal(status, 200, text);
    const operations = server.requests.map((request) => request.replace(SENTINEL, 'SENTINEL'));
    assert.deepEqual(operations, ['put SENTINEL', 'get SENTINEL', 'delete SENTINEL']);
    assert.deepEqual(server.keys(), []);
  });

  test('finds that a storage refuses conditions, and stores without them from then on', async (t) => {
    const { service, server } = await start(t);
    server.conditions = 'refused';
    const { status, text } = await service.put(server.place);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /conditional/);
    const store = await service.stores.of('local', 'default');
    await store.put('a', Buffer.from('one'), { only: { ifAbsent: true } });
    assert.deepEqual(server.keys(), ['local/default/a']);
  });

  test('takes another name each time', async (t) => {
    const { service, server } = await start(t);
    for (let count = 0; count < 3; count += 1) await service.put(server.place);
    assert.equal(new Set(server.requests).size, 9);
  });

  const failures: [string, Partial<Record<S3Operation, Misbehaviour>>, RegExp][] = [
    ['a write that is refused', { put: 'refuse' }, /cannot be written: .*AccessDenied/],
    ['a write without an answer', { put: 'stall' }, /cannot be written: The storage does not answer in time/],
    ['a write that fails', { put: 'fault' }, /cannot be written: The storage has a fault/],
    ['a write that is sent elsewhere', { put: 'redirect' }, /cannot be written: .*another endpoint/],
    ['a read that is refused', { get: 'refuse' }, /written but cannot be read: .*AccessDenied/],
    ['a read that breaks off', { get: 'cut' }, /written but cannot be read: The storage broke off/],
    [
      'a read that stops halfway',
      { get: 'stall_halfway' },
      /written but cannot be read: .*not answer in time/,
    ],
    ['a read that takes for ever', { get: 'trickle' }, /written but cannot be read: .*not answer in time/],
    ['a read of other bytes', { get: 'lie' }, /reads otherwise than it was written/],
    ['a read without an end', { get: 'endless' }, /reads otherwise than it was written/],
    ['a delete that is refused', { delete: 'refuse' }, /cannot be deleted: .*AccessDenied/],
    ['a delete without an answer', { delete: 'stall' }, /cannot be deleted: .*not answer in time/],
  ];
  for (const [what, misbehaviour, expected] of failures) {
    test(`${what} is told, and nothing is kept`, async (t) => {
      const isHasty = Object.values(misbehaviour).some((each) => /stall|trickle/.test(each));
      const { service, server } = await start(t, isHasty);
      Object.assign(server.misbehaviour, misbehaviour);
      await refused(service, server.place, expected);
      if (misbehaviour.get && misbehaviour.get !== 'trickle')
        assert.deepEqual(server.keys(), [], 'the object is cleaned up');
    });
  }

  test('other bytes are told as that, also when the object cannot be removed', async (t) => {
    const { service, server } = await start(t);
    Object.assign(server.misbehaviour, { get: 'lie', delete: 'refuse' });
    await refused(service, server.place, /reads otherwise than it was written/);
    assert.deepEqual(
      server.requests.map((request) => request.split(' ')[0]),
      ['put', 'get', 'delete'],
    );
  });

  test('wrong credentials and buckets are told, without a word of the credentials', async (t) => {
    const { service, server } = await start(t);
    for (const [change, expected] of [
      [{ secret_key: 'wrong-secret-key' }, /SignatureDoesNotMatch/],
      [{ access_key: 'AKWRONGWRONG' }, /InvalidAccessKeyId/],
      [{ bucket: 'no-such-bucket' }, /NoSuchBucket/],
      [{ endpoint: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
      [{ endpoint: 'https://no-such-host.invalid' }, /cannot be written/],
    ] as const) {
      const { text } = await refused(service, { ...server.place, ...change }, expected);
      assert.doesNotMatch(text, /wrong-secret-key|AKWRONGWRONG|a-secret-of-tests|AKTEST/);
    }
    assert.doesNotMatch(service.logged.join('\n'), /wrong-secret-key|a-secret-of-tests/);
  });
});

describe('path or host: where the bucket stands', () => {
  for (const style of ['path', 'virtual_host'] as const) {
    test(`is found out and remembered: ${style}`, async (t) => {
      const [service, server] = [await startStorage(t), await startS3(t, { style })];
      const { path_style: isPath, ...place } = server.place;
      const { status, text, body } = await service.put(place);
      assert.equal(status, 200, text);
      assert.equal(body.path_style, isPath);
      const store = await service.stores.of('local', 'default');
      await store.put('a/b', Buffer.from('x'));
      assert.deepEqual(server.keys(), ['local/default/a/b']);
    });
  }

  test('is as it is said', async (t) => {
    const { service, server } = await start(t);
    await refused(
      service,
      { ...server.place, endpoint: server.url.replace('127.0.0.1', 'localhost'), path_style: false },
      /cannot be written/,
    );
  });
});

describe('a folder as storage', () => {
  test('is tried out, and nothing stays in it', async (t) => {
    const service = await startStorage(t);
    const { status, body } = await service.put({ provider: 'local', path: service.folder });
    assert.deepEqual([status, body.provider, body.path], [200, 'local', service.folder]);
    assert.deepEqual(readdirSync(service.folder), []);
  });

  test('must be there, be a folder, and take the reserved file', async (t) => {
    const service = await startStorage(t);
    const path = (name: string) => join(service.folder, name);
    writeFileSync(path('file'), '');
    mkdirSync(path('blocked/.sb-config-probe.tmp'), { recursive: true });
    mkdirSync(path('kept'));
    writeFileSync(path('kept/.sb-config-probe.tmp'), 'mine');
    await refused(service, { provider: 'local', path: path('none') }, /does not exist; make it first/);
    await refused(service, { provider: 'local', path: path('file') }, /not a folder/);
    await refused(service, { provider: 'local', path: path('blocked') }, /No file can be made in the folder/);
    await refused(service, { provider: 'local', path: path('kept') }, /is there already/);
    assert.equal(readFileSync(path('kept/.sb-config-probe.tmp'), 'utf8'), 'mine');
  });
});

describe('Azure as storage', () => {
  let azure: TestAzure;
  before(async () => {
    azure = await startAzurite();
  });
  after(() => azure.close());

  test('is tried out and kept', async (t) => {
    const service = await startStorage(t);
    const place = await azure.newPlace();
    const { status, text, body } = await service.put(place);
    assert.equal(status, 200, text);
    assert.equal(body.account_key, '***');
    const store = await service.stores.of('local', 'default');
    await store.put('a', Buffer.from('x'));
    assert.deepEqual(
      (await store.list({ prefix: '', limit: 10 })).blobs.map(({ key }) => key),
      ['a'],
    );
  });

  test('is told what is wrong', async (t) => {
    const service = await startStorage(t);
    const place = await azure.newPlace();
    await refused(service, { ...place, container: 'no-such-container' }, /ContainerNotFound/);
    const { account_key: _, account: __, endpoint: ___, ...bare } = place;
    await refused(
      service,
      { ...bare, connection_string: 'nonsense' },
      /cannot be opened: The connection string/,
    );
    await refused(service, { ...place, account_key: Buffer.alloc(32).toString('base64') }, /credentials/);
  });
});
