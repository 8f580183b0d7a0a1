import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { type AssetWorld, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { halves, pixel, pixelBomb } from '../../platform/images/images.conformance.ts';

const PHOTO = 'Characters/mira/images/photo.jpg';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
    world.put(PHOTO, await halves(1600, 800).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    world.put('Assets/bomb.png', pixelBomb(20_000, 20_000));
    world.put('Assets/cut.png', (await halves(90, 90).png().toBuffer()).subarray(0, 100));
    world.put('Characters/mira/data/notes.txt', 'no picture');
    world.put(
      'Assets/logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2" fill="#dc141e"/></svg>',
    );
    await world.scan();
  });
  after(() => world.close());

  const get = async (id: string, query = '', headers: Record<string, string> = {}) => {
    const reply = await world.core.app.inject({ url: `/api/assets/${id}/thumbnail?${query}`, headers });
    return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload, text: reply.body };
  };
  const make = (asset_id: string, sizes?: number[]) =>
    world.core.call<{ thumbnails: { size: number; url: string }[]; detail: string }>(
      'POST',
      '/api/assets/thumbnail',
      { body: { asset_id, ...(sizes && { sizes }) } },
    );
  const kept = () =>
    readdirSync(join(world.core.config.dataDir, 'thumbnails'), { recursive: true }).filter((name) =>
      String(name).endsWith('.webp'),
    );

  test('a picture is small, upright, WebP, without metadata', async () => {
    const { id } = await world.at(PHOTO);
    const { status, headers, bytes } = await get(id);
    assert.deepEqual([status, headers['content-type']], [200, 'image/webp']);
    const { format, width, height, exif, icc, orientation } = await sharp(bytes).metadata();
    assert.deepEqual(
      [format, width, height, exif, icc, orientation],
      ['webp', 128, 256, undefined, undefined, undefined],
    );
    const [red = 0, , blue = 255] = await pixel(bytes, 60, 20);
    assert.ok(red > 150 && blue < 100, 'the left half is above after the turn');
    const large = await sharp((await get(id, 'size=1024')).bytes).metadata();
    assert.deepEqual([large.width, large.height], [512, 1024]);
    assert.equal((await get(id, 'size=300')).status, 422);
  });

  test('what was made is not made again, and browsers need not ask again', async () => {
    const asset = await world.at(PHOTO);
    const first = await get(asset.id, 'size=512');
    assert.match(String(first.headers['cache-control']), /must-revalidate/);
    const again = await get(asset.id, 'size=512', { 'if-none-match': String(first.headers.etag) });
    assert.equal(again.status, 304);
    const fixed = await get(asset.id, `size=512&v=${asset.checksum_sha256}`);
    assert.match(String(fixed.headers['cache-control']), /immutable/);
    assert.equal(fixed.headers['last-modified'], first.headers['last-modified']);
  });

  test('twenty at once make one, and all sizes are made in one go', async () => {
    world.put('Assets/wanted.png', await halves(700, 300).png().toBuffer());
    await world.scan();
    const { id, checksum_sha256 } = await world.at('Assets/wanted.png');
    const replies = await Promise.all(Array.from({ length: 20 }, () => get(id, 'size=128')));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.equal(new Set(replies.map(({ headers }) => headers['last-modified'])).size, 1);
    const { body } = await make(id);
    assert.deepEqual(
      body.thumbnails.map(({ size }) => size),
      [128, 256, 512, 1024],
    );
    for (const { size, url } of body.thumbnails) {
      const reply = await world.core.app.inject({ url });
      assert.equal((await sharp(reply.rawPayload).metadata()).width, Math.min(size, 700));
      assert.match(String(reply.headers['cache-control']), /immutable/);
    }
    assert.equal(kept().filter((name) => String(name).includes(checksum_sha256)).length, 4);
  });

  test('an SVG is drawn as large as is asked for', async () => {
    const { bytes } = await get((await world.at('Assets/logo.svg')).id, 'size=128');
    const { width, height } = await sharp(bytes).metadata();
    assert.deepEqual([width, height], [128, 64]);
    const [red = 0] = await pixel(bytes, 60, 30);
    assert.ok(red > 200);
  });

  test('what cannot be drawn is told with the reason', async () => {
    for (const [path, status, detail] of [
      ['Characters/mira/data/notes.txt', 404, /text\/plain cannot be drawn/],
      ['Assets/cut.png', 422, /Assets\/cut\.png: .*damaged/],
      ['Assets/bomb.png', 422, /20000 × 20000 pixels/],
    ] as const) {
      const { id } = await world.at(path);
      assert.equal((await get(id)).status, status, path);
      const made = await make(id, [128]);
      assert.equal(made.status, status, made.text);
      assert.match(made.body.detail, detail);
    }
    assert.equal((await get('nothing_0000000000')).status, 404);
    assert.equal((await make('nothing_0000000000')).status, 404);
  });

  test('a picture that was replaced outside is the new one, before any sync', async () => {
    world.put('Assets/changing.png', await halves(300, 300).png().toBuffer());
    await world.scan();
    const { id } = await world.at('Assets/changing.png');
    const before = await get(id);
    world.put('Assets/changing.png', await halves(300, 150).png().toBuffer());
    const size = await sharp((await get(id, 'size=512')).bytes).metadata();
    assert.deepEqual([size.width, size.height], [300, 150]);
    assert.notEqual((await get(id)).headers.etag, before.headers.etag);
  });
});
