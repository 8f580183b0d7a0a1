import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type AssetBody, type AssetWorld, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { glb } from '../../../test/support/mixed-assets.ts';
import { fbx } from '../../../test/support/models.ts';
import { beep, mp3, mp3Seconds, mp4, wav } from '../../../test/support/sounds.ts';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
  });
  after(() => world.close());

  /** Waits for the measurement, which continues after the scan. */
  async function once(path: string, fits: (asset: AssetBody) => boolean): Promise<AssetBody> {
    for (;;) {
      const asset = await world.at(path);
      if (fits(asset)) return asset;
      await turn();
    }
  }

  test('sounds and films tell how long they are, and what of', async () => {
    world.put('Characters/mira/audio/theme.wav', wav(2.5, beep()));
    world.put('Characters/mira/audio/song.mp3', mp3(200));
    world.put('Characters/mira/video/clip.mp4', mp4(4, 320, 180, 1000));
    await world.scan();
    const theme = await once('Characters/mira/audio/theme.wav', ({ duration }) => duration !== null);
    assert.deepEqual(
      [theme.duration, theme.width, theme.media?.audio_codec, theme.media?.sample_rate],
      [2.5, null, 'PCM', 8000],
    );
    const song = await once('Characters/mira/audio/song.mp3', ({ duration }) => duration !== null);
    assert.ok(Math.abs((song.duration ?? 0) - mp3Seconds(200)) < 0.1);
    const clip = await once('Characters/mira/video/clip.mp4', ({ duration }) => duration !== null);
    assert.deepEqual([clip.duration, clip.width, clip.height, clip.kind], [4, 320, 180, 'video']);
  });

  test('a model tells what it holds, binary or not', async () => {
    const cube = {
      asset: { version: '2.0', generator: 'a test' },
      nodes: [{ mesh: 0 }],
      materials: [{}, {}],
      animations: [{}],
      accessors: [
        { count: 8, min: [-1, 0, -1], max: [1, 2, 1] },
        { count: 4, min: [0, -3, 0], max: [0.5, 0, 0.5] },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }, { attributes: { POSITION: 1 } }] }],
    };
    world.put('Characters/mira/models/cube.glb', glb(cube));
    world.put('Characters/mira/models/cube.gltf', JSON.stringify(cube));
    world.put('Characters/mira/models/boat.fbx', fbx(7500));
    world.put('Characters/mira/models/torn.gltf', JSON.stringify(cube).slice(0, 90));
    await world.scan();
    const whole = {
      ...{
        version: '2.0',
        generator: 'a test',
        meshes: 1,
        materials: 2,
        textures: 0,
        animations: 1,
        nodes: 1,
      },
      vertices: 12,
      bounds: { min: [-1, -3, -1], max: [1, 2, 1] },
    };
    for (const name of ['cube.glb', 'cube.gltf']) {
      const { media } = await once(`Characters/mira/models/${name}`, ({ media }) => media !== null);
      assert.deepEqual(media, whole);
    }
    assert.equal((await world.at('Characters/mira/models/torn.gltf')).media, null);
    const boat = await once('Characters/mira/models/boat.fbx', ({ media }) => media !== null);
    assert.deepEqual([boat.media?.version, boat.media?.meshes, boat.media?.vertices], ['7.5', 2, 12]);
  });

  test('one damaged file stops none of the others, and a better one is measured anew', async () => {
    world.put('Characters/mira/audio/a_broken.wav', 'RIFF\0\0\0\0WAVE');
    world.put('Characters/mira/audio/b_whole.wav', wav(1, beep()));
    await world.scan();
    const whole = await once('Characters/mira/audio/b_whole.wav', ({ duration }) => duration !== null);
    assert.equal(whole.duration, 1);
    assert.equal((await world.at('Characters/mira/audio/a_broken.wav')).duration, null);
    world.put('Characters/mira/audio/a_broken.wav', wav(0.5, beep()));
    await world.scan();
    const mended = await once('Characters/mira/audio/a_broken.wav', ({ duration }) => duration !== null);
    assert.equal(mended.duration, 0.5);
  });
});
