import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTags, type TaggedFile, tidyTag } from './index.ts';

const file: TaggedFile = {
  path: 'Characters/mira/images/portraits/IMG_0042_MiraAtHarbour final.png',
  kind: 'image',
  subcategory: 'portraits',
  width: 640,
  height: 800,
  duration: null,
  media: null,
};
const tagsOf = (change: Partial<TaggedFile>) =>
  plainTags({ ...file, ...change }).map(({ tag, origin }) => `${origin}: ${tag}`);

test('a picture is tagged by its shape, its folder and the words of its name', () => {
  assert.deepEqual(tagsOf({}), ['bytes: portrait', 'name: portraits', 'name: mira', 'name: harbour']);
  assert.deepEqual(tagsOf({ path: 'a/b.png', subcategory: null, width: 4_000, height: 1_000 }), [
    'bytes: panorama',
    'bytes: high resolution',
  ]);
  assert.deepEqual(tagsOf({ path: 'x.png', subcategory: null, width: 32, height: 32 }), [
    'bytes: square',
    'bytes: icon',
  ]);
});

test('sounds and models are tagged by what their bytes tell', () => {
  const sound = {
    path: 'wave.ogg',
    kind: 'audio',
    subcategory: null,
    duration: 2,
    media: { channels: 1 },
  } as const;
  assert.deepEqual(tagsOf(sound), ['bytes: short', 'bytes: mono', 'name: wave']);
  const model = { path: 'x.glb', kind: 'model', subcategory: null, media: { animations: 2 } } as const;
  assert.deepEqual(tagsOf(model), ['bytes: animated']);
  assert.deepEqual(tagsOf({ path: 'x.png', subcategory: null, width: null, height: null }), []);
});

test('tags have one form', () => {
  assert.equal(tidyTag('  Close\n Up\u0000 '), 'close up');
  assert.equal(tidyTag('x'.repeat(80)).length, 50);
});
