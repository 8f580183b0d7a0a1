import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import fc from '../../../test/support/properties.ts';
import { packText, unpackText } from './history-codec.ts';
import { decodeDelta, encodeDelta } from './history-delta.ts';

/** Bytes of few kinds, in repeated runs. */
const bytes = fc
  .array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 40 })), { maxLength: 12 })
  .map((runs) =>
    Uint8Array.from(
      runs.flatMap(([byte, count]) => Array.from({ length: count }, (_, at) => byte + (at % 3))),
    ),
  );

describe('deltas', () => {
  it('of any bytes give them back', () => {
    fc.assert(
      fc.property(bytes, bytes, (base, target) => {
        const delta = encodeDelta(base, target);
        assert.deepEqual(Buffer.from(decodeDelta(base, delta)), Buffer.from(target));
        assert.ok(delta.length <= target.length + 40);
      }),
      { numRuns: 1000 },
    );
  });

  it('of a text with edits in several places are small', () => {
    const lines = Array.from({ length: 400 }, (_, line) => `Line ${line}: the tide of day ${line * 7919}.`);
    const base = Buffer.from(lines.join('\n'));
    const edited = lines.with(3, 'last_updated: 2026-02-02').with(200, 'A new sentence.').toSpliced(300, 5);
    assert.ok(encodeDelta(base, Buffer.from(edited.join('\n'))).length < 120);
  });

  it('refuse another base and damaged bytes', () => {
    const [base, target] = [Buffer.from('a'.repeat(50)), Buffer.from(`${'a'.repeat(50)}b`)];
    const delta = encodeDelta(base, target);
    assert.throws(() => decodeDelta(Buffer.from('short'), delta), /damaged/);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (noise) => {
        try {
          decodeDelta(base, Uint8Array.from([50, 10, ...noise]));
        } catch (error) {
          assert.match(String(error), /damaged/);
        }
      }),
    );
  });

  it('of large bodies take no long search', () => {
    const base = Buffer.alloc(8_000_000, 'some words of a long chapter, ');
    const target = Buffer.concat([Buffer.from('New: '), base.subarray(10)]);
    const started = process.cpuUsage();
    assert.deepEqual(Buffer.from(decodeDelta(base, encodeDelta(base, target))), target);
    assert.ok(cpuTimeSince(started) < 1_000);
  });
});

describe('packed texts', () => {
  it('come back character for character', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      bytes.map((some) => Buffer.from(some).toString('hex')),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.option(text), async (older, newer) => {
        assert.equal(await unpackText(await packText(older, newer), newer), older);
      }),
      { numRuns: 500 },
    );
  });
});
