import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type AssetBody, picture } from './support/asset-files.ts';
import { type CloudCore, startCloud } from './support/cloud.ts';
import { subscribed } from './support/subscribed.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const BYTES = { ...TUS, 'content-type': 'application/offset+octet-stream' };

if (process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off') {
  test('uploads in the cloud', { skip: 'needs PostgreSQL and Redis' }, () => {});
} else {
  const cloud = await startCloud();
  after(() => cloud.close());
  const [one, other] = cloud.cores;
  const token = await subscribed(cloud, cloud.accounts.first, 'team');
  const authorization = `Bearer ${token}`;
  const shared = join(cloud.contentDir, '.shared');

  async function begin(filename: string, size: number): Promise<string> {
    const metadata = `filename ${Buffer.from(filename).toString('base64')}`;
    const headers = { ...TUS, 'upload-length': String(size), 'upload-metadata': metadata };
    const reply = await one.call('POST', '/api/uploads', { token, headers });
    assert.equal(reply.status, 201, reply.text);
    return String(reply.headers.location);
  }
  const patch = (core: CloudCore, url: string, offset: number, bytes: Uint8Array) =>
    core.app.inject({
      method: 'PATCH',
      url,
      headers: { ...BYTES, authorization, 'upload-offset': String(offset) },
      payload: Buffer.from(bytes),
    });
  /** The part must be accepted. */
  const taken = async (...part: Parameters<typeof patch>): Promise<void> => {
    const reply = await patch(...part);
    assert.equal(reply.statusCode, 204, reply.body);
  };
  const offsetAt = async (core: CloudCore, url: string): Promise<number> => {
    const reply = await core.app.inject({ method: 'HEAD', url, headers: { ...TUS, authorization } });
    assert.equal(reply.statusCode, 200);
    return Number(reply.headers['upload-offset']);
  };
  const assetAt = async (core: CloudCore, path: string): Promise<AssetBody | undefined> =>
    (await core.call<{ assets: AssetBody[] }>('GET', '/api/assets', { token })).body.assets.find(
      (asset) => asset.path === path,
    );

  test('each part of an upload may come to another core', async () => {
    const bytes = await picture('olive');
    const url = await begin('olive.png', bytes.length);
    await taken(other, url, 0, bytes.subarray(0, 50));
    assert.equal(await offsetAt(one, url), 50);
    await taken(one, url, 50, bytes.subarray(50, 70));
    await taken(other, url, 70, bytes.subarray(70));
    const { body } = await one.call<{ asset_id: string }>('GET', url, { token });
    assert.equal(body.asset_id, (await assetAt(one, 'Assets/olive.png'))?.id);
  });

  test('a part on a dead connection to one core gives way to who asks another', async () => {
    const bytes = await picture('gold');
    const url = await begin('slow.png', bytes.length);
    const stalled = httpRequest(new URL(url, await one.app.listen({ port: 0, host: '127.0.0.1' })), {
      method: 'PATCH',
      headers: { ...BYTES, authorization, 'upload-offset': 0, 'content-length': bytes.length },
    });
    const ended = new Promise((resolve) => stalled.on('error', resolve));
    stalled.write(bytes.subarray(0, 4));
    const place = join(shared, 'resumable/parts', url.split('/').at(-1) ?? '', 'bytes');
    while (statSync(place).size < 4) await turn();
    assert.equal(await offsetAt(other, url), 4);
    await taken(other, url, 4, bytes.subarray(4));
    stalled.destroy();
    await ended;
  });

  test('what is uploaded is an asset at once, also while another core reads the same files', async () => {
    const bytes = await picture('navy');
    const names = Array.from({ length: 40 }, (_, number) => `navy_${number}.png`);
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await one.call('POST', '/api/sync/refresh-all', { token });
    })();
    for (const name of names) await taken(other, await begin(name, bytes.length), 0, bytes);
    isOver = true;
    await reading;
  });

  test('a batch is taken where content lies in the folder of the cloud, its bytes by either core', async () => {
    const bytes = await picture('teal');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const begun = await one.call<{ id: string; files: { upload: { url: string } }[] }>(
      'POST',
      '/api/uploads/batches',
      { token, body: { files: [{ sha256, size: bytes.length, filename: 'teal.png' }] } },
    );
    assert.equal(begun.status, 201, begun.text);
    const sent = await other.app.inject({
      method: 'PUT',
      url: begun.body.files[0]?.upload.url ?? '',
      headers: { 'content-type': 'application/octet-stream', authorization },
      payload: bytes,
    });
    assert.equal(sent.statusCode, 204, sent.body);
    const done = await one.call('POST', `/api/uploads/batches/${begun.body.id}/finalize`, { token });
    assert.equal(done.status, 200, done.text);
    assert.equal((await assetAt(other, 'Assets/teal.png'))?.checksum_sha256, sha256);
  });

  test('a thumbnail that both cores are asked for at once is made once', async () => {
    const bytes = await picture('plum', 700);
    const url = await begin('plum.png', bytes.length);
    await taken(one, url, 0, bytes);
    const asset = await assetAt(other, 'Assets/plum.png');
    assert.ok(asset);
    const small = (core: CloudCore) =>
      core.app.inject({ url: `/api/assets/${asset.id}/thumbnail?size=512`, headers: { authorization } });
    const kept = () =>
      readdirSync(join(shared, 'thumbnails'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('_512.webp'))
        .map((name) => statSync(join(shared, 'thumbnails', name)).ino);
    const replies = await Promise.all([one, other, one, other].map(small));
    assert.deepEqual(new Set(replies.map(({ statusCode }) => statusCode)), new Set([200]));
    const made = kept();
    assert.equal(made.length, 1);
    await small(other);
    assert.deepEqual(kept(), made);
  });
}
