import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AssetWorld, picture, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startS3, type TestS3 } from '../../../test/support/storage/s3-server.ts';
import { until } from '../../../test/support/until.ts';

interface FileState {
  sha256: string;
  state: 'present' | 'missing' | 'refused';
  asset_id: string | null;
  upload: { method: string; url: string; headers: Record<string, string> } | null;
  detail: string | null;
}
interface BatchReply {
  id: string;
  files: FileState[];
  detail: string;
}

const announced = (bytes: Uint8Array, filename: string, more = {}) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
  filename,
  ...more,
});
const MIRA = { entity_type: 'character', entity_id: 'mira' };

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  let origin: string;
  before(async () => {
    world = await startAssetWorld({ open, env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } });
    origin = await world.core.app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => world.close());

  async function begin(files: object[]): Promise<BatchReply> {
    const reply = await world.core.call<BatchReply>('POST', '/api/uploads/batches', { body: { files } });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  }
  async function finalize({ id }: BatchReply): Promise<FileState[]> {
    const reply = await world.core.call<BatchReply>('POST', `/api/uploads/batches/${id}/finalize`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.files;
  }
  const stateOf = async ({ id }: BatchReply) =>
    (await world.core.call<BatchReply>('GET', `/api/uploads/batches/${id}`)).body.files;

  /** Sends bytes by the batch's upload request. */
  async function send({ upload }: FileState, bytes: Uint8Array): Promise<number> {
    assert.ok(upload);
    const isHere = upload.url.startsWith('/');
    const reply = await fetch(isHere ? origin + upload.url : upload.url, {
      method: upload.method,
      headers: { ...upload.headers, ...(isHere && { authorization: `Bearer ${world.core.adminToken}` }) },
      body: new Uint8Array(bytes),
    });
    await reply.arrayBuffer();
    return reply.status;
  }

  const statesOf = (files: readonly FileState[]) => files.map(({ state }) => state);
  const folder = () => join(world.core.config.dataDir, 'resumable/batches');

  async function journey(colour: string, sent: number) {
    const [one, two] = [await picture(colour, 20), await picture(colour, 21)];
    const batch = await begin([
      announced(one, 'one.png', { ...MIRA, tags: 'sea' }),
      announced(two, 'two.png'),
    ]);
    assert.deepEqual(statesOf(batch.files), ['missing', 'missing']);
    const [first, second] = batch.files as [FileState, FileState];
    assert.equal(await send(first, one), sent);
    assert.deepEqual(statesOf(await finalize(batch)), ['present', 'missing']);
    assert.equal(await send(second, two), sent);
    const [done, again] = [await finalize(batch), await finalize(batch)];
    assert.deepEqual(again, done);
    assert.deepEqual(done, await stateOf(batch));
    assert.deepEqual(statesOf(done), ['present', 'present']);
    const assets = await world.list();
    for (const [file, bytes] of [
      [done[0], one],
      [done[1], two],
    ] as const) {
      const asset = assets.find(({ id }) => id === file?.asset_id);
      assert.ok(asset);
      assert.ok((await world.core.app.inject({ url: asset.url })).rawPayload.equals(bytes));
      assert.equal(assets.filter(({ checksum_sha256 }) => checksum_sha256 === file?.sha256).length, 1);
    }
    const known = await begin([announced(one, 'another-name.png')]);
    assert.deepEqual([known.files[0]?.state, known.files[0]?.asset_id], ['present', done[0]?.asset_id]);
    assert.deepEqual(readdirSync(join(folder(), batch.id)), ['info.json']);
  }

  test('files are announced, sent here, and made assets once', () => journey('navy', 204));

  test('other bytes than were named are refused as they come', async () => {
    const bytes = await picture('gold');
    const batch = await begin([announced(bytes, 'gold.png')]);
    const [file] = batch.files as [FileState];
    for (const [status, wrong] of [
      [422, Buffer.from(bytes).fill(0, 40, 41)],
      [422, bytes.subarray(1)],
      [413, Buffer.concat([bytes, bytes])],
    ] as const)
      assert.equal(await send(file, wrong), status);
    assert.deepEqual(statesOf(await finalize(batch)), ['missing']);
    assert.deepEqual(readdirSync(join(folder(), batch.id)), ['info.json']);
  });

  test('what could never become an asset is refused when it is announced', async () => {
    const bytes = await picture('grey');
    for (const [status, files] of [
      [422, [announced(bytes, 'a.png'), announced(bytes, 'b.png')]],
      [422, [announced(bytes, 'CH_new.md')]],
      [422, [{ ...announced(bytes, 'a.png'), size: 0 }]],
      [422, [announced(bytes, 'a.png', { is_primary: true })]],
      [404, [announced(bytes, 'a.png', { ...MIRA, entity_id: 'nobody' })]],
    ] as const) {
      const reply = await world.core.call<BatchReply>('POST', '/api/uploads/batches', { body: { files } });
      assert.equal(reply.status, status, reply.text);
    }
    const batch = await begin([announced(bytes, 'grey.png')]);
    const elsewhere = { headers: { 'x-project-id': 'other' } };
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/finalize'],
    ] as const) {
      const reply = await world.core.call(method, `/api/uploads/batches/${batch.id}${path}`, elsewhere);
      assert.equal(reply.status, 404);
    }
  });

  test('with object storage, bytes go there by addresses of its own, are checked, and leave nothing behind', async (t) => {
    const server: TestS3 = await startS3(t);
    const { place } = server;
    const set = await world.core.call('PUT', '/api/settings/storage', { body: place });
    assert.equal(set.status, 200, set.text);
    await journey('coral', 200);
    assert.deepEqual(server.keys(), []);

    const bytes = await picture('plum');
    const batch = await begin([announced(bytes, 'plum.png')]);
    const [file] = batch.files as [FileState];
    const wrong = Buffer.from(bytes).fill(0, 40, 41);
    assert.equal(await send(file, wrong), 400);
    assert.equal(await send(file, Buffer.concat([bytes, wrong])), 403);
    assert.deepEqual(server.keys(), []);
    // Like a store that does not check the signed hash.
    server.put(`local/default/.uploads/${batch.id}/${file.sha256}`, wrong);
    const [refused] = await finalize(batch);
    assert.deepEqual([refused?.state, refused?.asset_id], ['refused', null]);
    assert.match(refused?.detail ?? '', /another SHA-256/);
    assert.deepEqual(server.keys(), []);
    assert.equal(await send(file, bytes), 200);
    server.misbehaviour.get = 'cut';
    const failed = await world.core.call('POST', `/api/uploads/batches/${batch.id}/finalize`);
    assert.equal(failed.status, 503, failed.text);
    delete server.misbehaviour.get;
    assert.deepEqual(statesOf(await finalize(batch)), ['present']);
  });

  test('nobody keeps more than a thousand batches', async () => {
    const first = await begin([announced(Buffer.from('a,b'), 'first.csv', MIRA)]);
    const info = JSON.parse(readFileSync(join(folder(), first.id, 'info.json'), 'utf8'));
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    for (const id of ids) {
      mkdirSync(join(folder(), id));
      writeFileSync(join(folder(), id, 'info.json'), JSON.stringify({ ...info, id }));
    }
    const files = [announced(Buffer.from('c,d'), 'second.csv', MIRA)];
    const refused = await world.core.call<BatchReply>('POST', '/api/uploads/batches', { body: { files } });
    assert.equal(refused.status, 429, refused.text);
    assert.match(refused.body.detail, /1000 batches/);
    for (const id of ids) rmSync(join(folder(), id), { recursive: true });
    await begin(files);
  });

  test('what nobody finalizes is collected, here and in the storage', async (t) => {
    const server = await startS3(t);
    await world.core.call('PUT', '/api/settings/storage', { body: server.place });
    const bytes = await picture('olive');
    const batch = await begin([announced(bytes, 'olive.png')]);
    const DAYS = 24 * 3_600_000;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3 * DAYS });
    assert.equal(await send(batch.files[0] as FileState, bytes), 200);
    t.mock.timers.reset();
    const info = join(folder(), batch.id, 'info.json');
    const said = JSON.parse(readFileSync(info, 'utf8')) as object;
    writeFileSync(info, JSON.stringify({ ...said, begunAt: Date.now() - 2 * DAYS }));
    assert.equal((await world.core.call('GET', `/api/uploads/batches/${batch.id}`)).status, 410);
    assert.equal(server.keys().length, 1);
    const project = await world.core.projects.open('local', 'default');
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + DAYS });
    await world.core.mirror.sync(project, { kind: 'full' });
    t.mock.timers.reset();
    await until(async () => server.keys().length === 0 && !readdirSync(folder()).includes(batch.id));
  });
});
