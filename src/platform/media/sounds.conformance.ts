import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recorded } from '../../../test/support/sounds.ts';
import { SoundError, type Sounds } from './sounds.ts';

export function soundsConformance(name: string, create: () => Sounds): void {
  const sounds = create();
  const refused = (type: string, bytes: Uint8Array) =>
    assert.rejects(
      sounds.loudnessOf({ type, bytes }, 100),
      (error) => error instanceof SoundError && error.code === 'broken',
    );

  describe(`sounds: ${name}`, () => {
    for (const [type, file] of [
      ['audio/mpeg', 'rising.mp3'],
      ['audio/ogg', 'rising-vorbis.ogg'],
      ['audio/ogg', 'rising-opus.ogg'],
      ['audio/ogg', 'rising-flac.ogg'],
      ['audio/flac', 'rising.flac'],
    ] as const)
      it(`hears ${file} grow louder to its end`, async () => {
        assert.ok(sounds.canDecode(type));
        const { duration, peaks } = await sounds.loudnessOf({ type, bytes: recorded(file) }, 10);
        assert.ok(Math.abs(duration - 1) < 0.1, `${duration} s`);
        assert.equal(peaks.length, 10);
        for (const [index, peak] of peaks.entries())
          assert.ok(Math.abs(peak - 0.09 * (index + 1)) < 0.09, peaks.join(' '));
      });

    it('refuses what is damaged, or something else', async () => {
      await refused('audio/mpeg', Buffer.from('ID3 and nothing behind'));
      await refused('audio/ogg', recorded('rising.mp3'));
      await refused('audio/ogg', recorded('rising-vorbis.ogg').subarray(0, 60));
      await refused('audio/ogg', new Uint8Array());
      await refused('audio/flac', recorded('rising.mp3'));
      await refused('audio/flac', recorded('rising.flac').subarray(0, 60));
    });

    it('hears what is there of a sound that breaks off', async () => {
      const bytes = recorded('rising.mp3');
      const half = await sounds.loudnessOf(
        { type: 'audio/mpeg', bytes: bytes.subarray(0, bytes.length / 2) },
        10,
      );
      assert.ok(half.duration > 0.3 && half.duration < 0.7, `${half.duration} s`);
    });
  });
}
