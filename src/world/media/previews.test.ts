import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { type AssetWorld, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { recorded } from '../../../test/support/sounds.ts';
import { halves, pixel } from '../../platform/images/images.conformance.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2" fill="#dc141e"/></svg>';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
    world.put('Assets/photo.jpg', await halves(1600, 800).jpeg().toBuffer());
    world.put('Assets/logo.svg', SVG);
    world.put('Assets/rising.mp3', recorded('rising.mp3'));
    world.put('Assets/torn.mp3', recorded('rising.mp3').subarray(0, 40));
    world.put('Characters/mira/data/notes.txt', 'no picture');
    await world.scan();
  });
  after(() => world.close());

  const get = async (path: string, query = '') => {
    const { id, checksum_sha256 } = await world.at(path);
    const url = `/api/assets/${id}/preview?${query.replace('$hash', checksum_sha256)}`;
    const reply = await world.core.app.inject({ url });
    return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload, text: reply.body };
  };

  test('pictures and drawings are PNG, as large as is asked for', async () => {
    for (const [path, query, size] of [
      ['Assets/photo.jpg', '', [1024, 512]],
      ['Assets/photo.jpg', 'size=128', [128, 64]],
      ['Assets/logo.svg', 'size=256', [256, 128]],
    ] as const) {
      const { status, headers, bytes } = await get(path, query);
      assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
      const { format, width, height } = await sharp(bytes).metadata();
      assert.deepEqual([format, width, height], ['png', ...size]);
    }
    const [red = 0, , blue = 255] = await pixel((await get('Assets/logo.svg')).bytes, 60, 20);
    assert.ok(red > 150 && blue < 100);
  });

  test('a sound is its waveform, and may be kept for ever where the address names its bytes', async () => {
    const { bytes, headers } = await get('Assets/rising.mp3', 'size=512&v=$hash');
    assert.match(String(headers['cache-control']), /immutable/);
    const { width, height } = await sharp(bytes).metadata();
    assert.deepEqual([width, height], [512, 128]);
    const opaque = async (x: number) => (await pixel(bytes, x, 40))[3];
    assert.deepEqual([await opaque(8), await opaque(500)], [0, 255]);
  });

  test('what cannot be drawn says so', async () => {
    for (const [path, status, detail] of [
      [
        'Characters/mira/data/notes.txt',
        404,
        /no preview of Characters\/mira\/data\/notes\.txt: text\/plain/,
      ],
      ['Assets/torn.mp3', 422, /Assets\/torn\.mp3: It is damaged/],
    ] as const) {
      const reply = await get(path);
      assert.equal(reply.status, status, reply.text);
      assert.match(reply.text, detail);
    }
  });
});
