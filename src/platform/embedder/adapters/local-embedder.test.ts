import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../../../../test/support/until.ts';
import { createLocalEmbedder } from './local-embedder.ts';

const embedder = createLocalEmbedder({ idleMs: 300 });
after(embedder.close);

const cosine = (one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) /
  (Math.hypot(...one) * Math.hypot(...other));

test('the shipped model tells meanings apart', async () => {
  assert.equal(embedder.isLoaded(), false);
  const [lamp, light, bread] = await embedder.embed([
    'She tends the lamp of the lighthouse.',
    'The lighthouse keeper looks after the light.',
    'Fresh bread is sold at the market.',
  ]);
  assert.equal(lamp?.length, embedder.dimensions);
  assert.ok(cosine(lamp, light) > 0.4, String(cosine(lamp, light)));
  assert.ok(cosine(lamp, bread) < 0.3, String(cosine(lamp, bread)));
});

test('a text that somebody waits for comes before all others', async () => {
  const done: string[] = [];
  const many = Array.from({ length: 8 }, (_, at) => `A long tale of the sea, part ${at}`);
  const background = many.map((text) => embedder.embed([text]).then(() => done.push(text)));
  await embedder.embed(['urgent'], { urgent: true }).then(() => done.push('urgent'));
  await Promise.all(background);
  assert.ok(done.indexOf('urgent') <= 1, done.join(', '));
});

test('what has not begun when it is cancelled is not computed, and any text is taken', async () => {
  const cancelled = new AbortController();
  const waiting = embedder.embed(['one', 'two', 'three'], { signal: cancelled.signal });
  cancelled.abort(new Error('no longer wanted'));
  await assert.rejects(waiting, /no longer wanted/);
  const vectors = await embedder.embed(['', ' ', '静かな海', 'x'.repeat(20_000)]);
  assert.deepEqual(
    vectors.map((vector) => vector.length),
    [512, 512, 512, 512],
  );
});

test('an idle model leaves memory', async () => {
  await embedder.embed(['once more']);
  await until(() => !embedder.isLoaded());
  assert.equal((await embedder.embed(['and again'])).length, 1);
});
