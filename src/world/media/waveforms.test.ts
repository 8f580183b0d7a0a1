import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AssetWorld, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { beep, mp4, recorded, wav } from '../../../test/support/sounds.ts';

const FOLDER = 'Characters/mira/audio';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
    world.put(
      `${FOLDER}/rising.wav`,
      wav(2, (second) => beep(440, second / 2)(second)),
    );
    world.put(`${FOLDER}/short.wav`, wav(0.001, beep()));
    for (const name of ['rising.mp3', 'rising-vorbis.ogg']) world.put(`${FOLDER}/${name}`, recorded(name));
    world.put(`${FOLDER}/torn.mp3`, recorded('rising.mp3').subarray(0, 40));
    world.put(`${FOLDER}/clip.mp4`, mp4(1, 32, 18));
    const packed = wav(0.1, beep());
    packed.writeUInt16LE(2, 20);
    world.put(`${FOLDER}/packed.wav`, packed);
    await world.scan();
  });
  after(() => world.close());

  const get = async (name: string, query = '') => {
    const { id } = await world.at(`${FOLDER}/${name}`);
    return world.core.call<{ duration: number; peaks: number[]; detail: string }>(
      'GET',
      `/api/assets/${id}/waveform?${query}`,
    );
  };

  test('a sound that rises has peaks that rise', async () => {
    const { body } = await get('rising.wav', 'points=100');
    assert.equal(body.duration, 2);
    assert.equal(body.peaks.length, 100);
    assert.ok(body.peaks.every((peak, index) => Math.abs(peak - (index + 1) / 100) < 0.02));
    assert.deepEqual((await get('rising.wav', 'points=100')).body, body);
    assert.equal((await get('rising.wav')).body.peaks.length, 500);
    assert.equal((await get('short.wav')).body.peaks.length, 8);
  });

  test('MP3 and Ogg are decoded', async () => {
    for (const name of ['rising.mp3', 'rising-vorbis.ogg']) {
      const { status, body, text } = await get(name, 'points=100');
      assert.equal(status, 200, text);
      assert.ok(Math.abs(body.duration - 1) < 0.1);
      assert.ok(
        (body.peaks[10] ?? 1) < (body.peaks[50] ?? 0) && (body.peaks[50] ?? 1) < (body.peaks[90] ?? 0),
      );
    }
  });

  test('what cannot be decoded says so', async () => {
    const clip = await get('clip.mp4');
    assert.equal(clip.status, 404);
    assert.match(clip.body.detail, /clip\.mp4: video\/mp4 is not decoded/);
    const torn = await get('torn.mp3');
    assert.equal(torn.status, 422);
    assert.match(torn.body.detail, /torn\.mp3: It is damaged/);
    const packed = await get('packed.wav');
    assert.equal(packed.status, 422);
    assert.match(packed.body.detail, /packed\.wav/);
    assert.equal((await get('rising.wav', 'points=7')).status, 422);
  });
});
