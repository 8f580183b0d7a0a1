import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { createPeaks } from './peaks.ts';
import { readWavHead } from './wav-head.ts';

const FORMATS = [
  { kind: 'integer', bits: 8, loudest: [255] },
  { kind: 'integer', bits: 16, loudest: [0, 0x80] },
  { kind: 'integer', bits: 24, loudest: [0, 0, 0x80] },
  { kind: 'integer', bits: 32, loudest: [0, 0, 0, 0x80] },
  { kind: 'float', bits: 32, loudest: [0, 0, 0x80, 0x3f] },
] as const;

test('the loudest sample of each format is as loud as can be', () => {
  for (const { loudest, ...format } of FORMATS) {
    const peaks = createPeaks({ ...format, channels: 1 }, 1, 10);
    peaks.add(Uint8Array.from(loudest));
    const [value = 0] = peaks.values();
    assert.ok(value > 0.98 && value <= 1, `${format.kind}${format.bits}: ${value}`);
  }
});

test('peaks do not hang on how the samples come in pieces, and each is the highest of its part', () => {
  const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 50 }), fc.nat(), (values, count, cut) => {
      const bytes = new Uint8Array(Int16Array.from(values).buffer);
      const format = { kind: 'integer', bits: 16, channels: 1 } as const;
      const [whole, parts] = [0, 1].map(() => createPeaks(format, values.length, count));
      const at = 2 * (cut % values.length);
      whole?.add(bytes);
      for (const piece of [bytes.subarray(0, at), bytes.subarray(at)]) parts?.add(piece);
      assert.deepEqual(parts?.values(), whole?.values());
      const loudest = Math.max(...values.map((value) => Math.abs(value))) / 32_768;
      const highest = Math.max(...(whole?.values() ?? []));
      assert.ok(Math.abs(highest - loudest) < 0.001);
    }),
  );
});

test('a head of any bytes is read or is none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (noise) => {
      const head = new Uint8Array([...Buffer.from('RIFF\0\0\0\0WAVE'), ...noise]);
      const found = readWavHead(head, 1_000);
      assert.ok(found === null || (found.bytes > 0 && found.start <= head.length));
    }),
  );
});
