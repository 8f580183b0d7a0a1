import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it, type TestContext } from 'node:test';
import S3rver from 's3rver';
import { BUCKET, startS3, type TestS3 } from '../../../../test/support/storage/s3-server.ts';
import { createOutgoing } from '../../outgoing/outgoing.ts';
import { blobsConformance, withCode } from '../blobs.conformance.ts';
import type { BlobLimits, BlobStore, S3Place } from '../blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

function openStore(t: TestContext, place: S3Place, limits?: BlobLimits): BlobStore {
  const outgoing = createOutgoing({ privateEndpoints: 'admitted' });
  const store = createS3Blobs({ place, outgoing, ...(limits && { limits }) });
  t.after(() => store.close());
  return store;
}

async function openS3rver(t: TestContext): Promise<BlobStore> {
  const directory = mkdtempSync(join(tmpdir(), 's3rver-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const place: S3Place = {
    provider: 's3',
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    access_key: 'S3RVER',
    secret_key: 'S3RVER',
    path_style: true,
  };
  const store = openStore(t, place);
  t.after(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return store;
}

const admitting = createOutgoing({ privateEndpoints: 'admitted' });
after(() => admitting.close());

blobsConformance('S3, another server', openS3rver, {
  abilities: { conditions: false, pages: false, firstByte: false, awkwardCopies: false },
});
blobsConformance('S3, bucket in the path', async (t) => openStore(t, (await startS3(t)).place));
blobsConformance(
  'S3, bucket in the name of the host',
  async (t) => openStore(t, (await startS3(t, { style: 'virtual_host' })).place),
  { agent: admitting.httpAgent },
);

describe('S3 that misbehaves', () => {
  const hasty: BlobLimits = { answerMs: 800, attempts: 1 };
  const bytes = Buffer.from('known bytes');

  async function withObject(t: TestContext, limits = hasty): Promise<{ server: TestS3; store: BlobStore }> {
    const server = await startS3(t);
    const store = openStore(t, server.place, limits);
    await store.put('a', bytes);
    return { server, store };
  }
  const readAll = async (store: BlobStore) => buffer((await store.get('a')).stream);

  it('says what is wrong with keys, bucket and region, and keeps secrets to itself', async (t) => {
    const { place } = await startS3(t);
    const wrong = { secret_key: 'another-secret' };
    for (const [change, code] of [
      [wrong, 'bad_credentials'],
      [{ access_key: 'AKOTHER' }, 'bad_credentials'],
      [{ bucket: 'no-such-bucket' }, 'no_bucket'],
      [{ region: 'eu-other-1' }, 'refused'],
      [{ endpoint: 'http://127.0.0.1:1' }, 'unavailable'],
    ] as const) {
      const store = openStore(t, { ...place, ...change }, hasty);
      const calls = [
        () => store.put('a', bytes),
        () => store.get('a'),
        () => store.list({ prefix: '', limit: 1 }),
      ];
      for (const call of calls) {
        await assert.rejects(call(), (error: Error) => {
          assert.doesNotMatch(error.message, /secret-|another-secret|a-secret|AKOTHER/);
          return withCode(code)(error);
        });
      }
    }
  });

  it('waits no longer than it may, wherever the storage stops', async (t) => {
    const { server, store } = await withObject(t);
    Object.assign(server.misbehaviour, { put: 'stall', get: 'stall', list: 'stall', delete: 'stall' });
    const calls = [
      store.put('a', bytes),
      store.get('a'),
      store.list({ prefix: '', limit: 1 }),
      store.delete('a'),
    ];
    await Promise.all(calls.map((call) => assert.rejects(call, withCode('unavailable'))));
    server.misbehaviour.get = 'stall_halfway';
    await assert.rejects(readAll(store), withCode('unavailable'));
  });

  it('gives no part of an object for the whole', async (t) => {
    const { server, store } = await withObject(t);
    server.misbehaviour.get = 'cut';
    await assert.rejects(readAll(store), withCode('unavailable'));
    server.misbehaviour.get = 'html';
    await assert.rejects(
      store.list({ prefix: '', limit: 1 }).then(() => store.get('a', { range: { start: 1 } })),
      withCode('refused'),
    );
  });

  it('follows no redirect', async (t) => {
    const { server, store } = await withObject(t);
    Object.assign(server.misbehaviour, { put: 'redirect', get: 'redirect', delete: 'redirect' });
    await assert.rejects(store.put('a', bytes), withCode('refused'));
    await assert.rejects(store.get('a'), withCode('refused'));
    await assert.rejects(store.delete('a'), withCode('refused'));
  });

  it('tries again after a fault that passes', async (t) => {
    const { server, store } = await withObject(t, { answerMs: 5_000, attempts: 3 });
    server.misbehaviour.put = 'fault_once';
    await store.put('b', bytes);
    assert.deepEqual(server.requests, ['put a', 'put b', 'put b']);
    assert.deepEqual(server.keys(), ['a', 'b']);
    server.misbehaviour.get = 'fault';
    await assert.rejects(store.get('a'), withCode('unavailable'));
  });

  it('stores without the condition that a service does not know, and asks once', async (t) => {
    const { server, store } = await withObject(t, { answerMs: 5_000, attempts: 1 });
    server.conditions = 'unknown';
    server.requests.length = 0;
    const { etag } = await store.put('a', Buffer.from('one'), { only: { ifAbsent: true } });
    await store.put('a', Buffer.from('two'), { only: { ifAbsent: true } });
    await store.put('a', Buffer.from('three'), { only: { ifEtag: etag ?? '' } });
    assert.deepEqual(server.requests, Array(5).fill('put a'));
    assert.equal((await readAll(store)).toString(), 'three');
  });

  it('sends no condition to a service that is known to refuse them', async (t) => {
    const server = await startS3(t);
    server.conditions = 'refused';
    const refusing = openStore(t, server.place, hasty);
    await assert.rejects(refusing.put('a', bytes, { only: { ifAbsent: true } }), withCode('refused'));
    const store = openStore(t, { ...server.place, conditional_writes: false }, hasty);
    await store.put('a', bytes, { only: { ifAbsent: true } });
    assert.equal((await readAll(store)).toString(), String(bytes));
  });

  it('signs what others may send to the byte', async (t) => {
    const { place, keys } = await startS3(t);
    const store = openStore(t, place, hasty);
    const exactly = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    const put = await store.presign?.put('a', { expiresInSeconds: 60, exactly });
    assert.ok(put);
    const { method, url, headers } = put;
    const send = (body: Buffer, sent = headers) =>
      fetch(url, { method, headers: sent, body: new Uint8Array(body) }).then(({ status }) => status);
    assert.equal(await send(Buffer.concat([bytes, bytes])), 403, 'another length');
    assert.equal(await send(Buffer.from(bytes).reverse()), 400, 'other bytes');
    assert.equal(await send(bytes, {}), 403, 'without what was signed');
    assert.deepEqual(keys(), []);
    assert.equal(await send(bytes), 200);
    assert.deepEqual(keys(), ['a']);
  });

  it('leaves no begun upload behind', async (t) => {
    const { server, store } = await withObject(t, { answerMs: 5_000, attempts: 1 });
    server.misbehaviour.part = 'refuse';
    await assert.rejects(store.put('large', Buffer.alloc(9 * 1024 * 1024)), withCode('denied'));
    delete server.misbehaviour.part;
    server.misbehaviour.finish = 'refuse';
    await assert.rejects(store.put('large', Buffer.alloc(9 * 1024 * 1024)), withCode('denied'));
    assert.equal(server.openUploads(), 0);
    assert.deepEqual(server.keys(), ['a']);
  });

  it('goes to no private address unasked', async (t) => {
    const { place, requests } = await startS3(t);
    const outgoing = createOutgoing({ privateEndpoints: 'on_request' });
    const store = createS3Blobs({ place, outgoing });
    await assert.rejects(store.put('a', bytes), withCode('refused_address'));
    assert.deepEqual(requests, []);
  });
});
