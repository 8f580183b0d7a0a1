import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { createOpenPeaks } from './open-peaks.ts';
import { drawWaveform } from './waveform-picture.ts';

test('the highest peak is the loudest sample, wherever it stands and however long the sound is', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200_000 }),
      fc.nat(),
      fc.integer({ min: 1, max: 60 }),
      (length, at, count) => {
        const samples = new Float32Array(length).fill(0.25);
        const loudAt = at % length;
        samples[loudAt] = -0.75;
        const peaks = createOpenPeaks();
        peaks.add([samples.subarray(0, loudAt), samples.subarray(0, loudAt)]);
        peaks.add([samples.subarray(loudAt), new Float32Array(length - loudAt)]);
        const values = peaks.values(count);
        assert.equal(peaks.length(), length);
        assert.equal(values.length, Math.min(count, length));
        assert.equal(Math.max(...values), 0.75);
        const expected = Math.floor((loudAt * values.length) / length);
        assert.ok(Math.abs(values.indexOf(0.75) - expected) <= 1);
      },
    ),
    { numRuns: 60 },
  );
});

test('a waveform stands around the middle, as tall as it is loud', () => {
  const { width, height, bytes } = drawWaveform([0, 1], 80);
  assert.deepEqual([width, height, bytes.length], [80, 20, 80 * 20 * 4]);
  const inked = (x: number) =>
    Array.from({ length: height }, (_, y) => bytes[(y * width + x) * 4 + 3]).filter(Boolean);
  assert.deepEqual([inked(0).length, inked(79).length, inked(78).length, inked(40).length], [1, 0, 18, 18]);
});
