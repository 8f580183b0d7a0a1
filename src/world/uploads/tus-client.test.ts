import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Upload, type UploadOptions } from 'tus-js-client';
import { type AssetWorld, picture, startAssetWorld } from '../../../test/support/asset-files.ts';
import { openTestSqlite } from '../../../test/support/databases.ts';
import { startRelay } from '../../../test/support/relay.ts';

const CHUNK = 64 * 1024;

let world: AssetWorld;
let origin: string;
before(async () => {
  world = await startAssetWorld({ open: openTestSqlite });
  origin = await world.core.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => world.close());

const bytesOf = async (colour: string) => Buffer.concat([await picture(colour), randomBytes(400_000)]);

/** An upload by the protocol's own client; `done` resolves with its end. */
function upload(
  bytes: Buffer,
  filename: string,
  { at = origin, ...more }: Partial<UploadOptions> & { at?: string } = {},
) {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const client = new Upload(bytes, {
    endpoint: `${at}/api/uploads`,
    chunkSize: CHUNK,
    headers: { authorization: `Bearer ${world.core.adminToken}` },
    metadata: { filename, entity_type: 'character', entity_id: 'mira', tags: 'größe, tus' },
    retryDelays: [0, 50, 100, 200, 400, 800],
    onSuccess: () => resolve(),
    onError: reject,
    ...more,
  });
  client.start();
  return { client, done };
}

async function isServed(bytes: Buffer, filename: string): Promise<void> {
  const asset = await world.at(`Characters/mira/images/${filename}`);
  assert.deepEqual([asset.size_bytes, asset.tags], [bytes.length, ['größe', 'tus']]);
  assert.ok((await world.core.app.inject({ url: asset.url })).rawPayload.equals(bytes));
}

test('a file in parts becomes an asset', async () => {
  const bytes = await bytesOf('teal');
  const offsets: number[] = [];
  const { done } = upload(bytes, 'parts.png', {
    onChunkComplete: (_size, offset) => void offsets.push(offset),
  });
  await done;
  assert.equal(offsets.length, Math.ceil(bytes.length / CHUNK));
  await isServed(bytes, 'parts.png');
});

test('an upload that was left goes on by its address', async () => {
  const bytes = await bytesOf('navy');
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { client } = upload(bytes, 'left.png', { onChunkComplete: () => resolve() });
  await begun;
  await client.abort();
  const first = Promise.withResolvers<number>();
  const { done } = upload(bytes, 'left.png', {
    uploadUrl: client.url,
    onProgress: (sent) => first.resolve(sent),
  });
  await done;
  assert.ok((await first.promise) >= CHUNK, 'what was there is not sent again');
  await isServed(bytes, 'left.png');
});

test('a connection that breaks in the middle is taken up again by the client', async (t) => {
  const relay = await startRelay(t, origin);
  const bytes = await bytesOf('olive');
  let cuts = 0;
  const { done } = upload(bytes, 'cut.png', {
    at: new URL(relay.url).origin,
    onChunkComplete: () => {
      if (++cuts === 2) void relay.down().then(relay.up);
    },
  });
  await done;
  await isServed(bytes, 'cut.png');
});

test('an upload that is given up is gone', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { client } = upload(await bytesOf('plum'), 'given-up.png', { onChunkComplete: () => resolve() });
  await begun;
  await client.abort(true);
  const reply = await world.core.call('GET', new URL(client.url ?? '').pathname);
  assert.equal(reply.status, 404);
});

test('what the service refuses reaches the client with its reason', async () => {
  const { done } = upload(await bytesOf('gold'), 'CH_new.md');
  await assert.rejects(
    done,
    (error: Error) => error.message.includes('422') && error.message.includes('detail'),
  );
});

test('a file that is sent side by side in several uploads is refused, with what to do instead', async () => {
  const metadataForPartialUploads = { filename: 'side.png', entity_type: 'character', entity_id: 'mira' };
  const { done } = upload(await bytesOf('pink'), 'side.png', {
    parallelUploads: 2,
    metadataForPartialUploads,
    retryDelays: [],
  });
  await assert.rejects(done, /400.*send the file as one upload/);
  assert.deepEqual(await world.list('search=side'), []);
});
