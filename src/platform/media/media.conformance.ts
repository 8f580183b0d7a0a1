import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { beep, mp3, mp3Seconds, mp4, wav } from '../../../test/support/sounds.ts';
import { type Media, MediaError } from './media.ts';

const PIECE = 64 * 1024;

const pieces = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, index) =>
    bytes.subarray(index * PIECE, (index + 1) * PIECE),
  );
const sourceOf = (type: string, bytes: Uint8Array) => ({
  type,
  size: bytes.length,
  stream: Readable.from(pieces(bytes), { objectMode: false }),
});

export function mediaConformance(name: string, create: (mostMs?: number) => Media): void {
  const media = create();

  describe(`media: ${name}`, () => {
    it('tells of a WAV', async () => {
      const facts = await media.factsOf(sourceOf('audio/wav', wav(1.5, beep())));
      assert.deepEqual(
        [facts.duration, facts.sample_rate, facts.channels, facts.audio_codec, facts.video_codec],
        [1.5, 8000, 1, 'PCM', null],
      );
      assert.deepEqual([facts.width, facts.height], [null, null]);
    });

    it('counts the frames of an MP3 that does not say how long it is', async () => {
      const facts = await media.factsOf(sourceOf('audio/mpeg', mp3(400)));
      assert.ok(Math.abs((facts.duration ?? 0) - mp3Seconds(400)) < 0.1, `${facts.duration}`);
      assert.equal(facts.channels, 2);
    });

    it('tells of a film whose head stands at its end', async () => {
      const facts = await media.factsOf(sourceOf('video/mp4', mp4(12.5, 640, 360, 300_000)));
      assert.deepEqual([facts.duration, facts.width, facts.height], [12.5, 640, 360]);
      assert.equal(facts.video_codec, 'avc1');
    });

    it('refuses what is damaged or nothing it knows, and closes the file', async () => {
      for (const [type, bytes] of [
        ['audio/wav', Buffer.from('RIFF\0\0\0\0WAVE')],
        ['video/mp4', mp4(1, 64, 64).subarray(0, 60)],
        ['audio/x-nothing', Buffer.alloc(1000, 7)],
        ['audio/mpeg', Buffer.alloc(0)],
      ] as const) {
        const source = sourceOf(type, bytes);
        await assert.rejects(media.factsOf(source), MediaError, type);
        assert.ok(source.stream.destroyed);
      }
    });

    it('ends whatever the bytes are', async () => {
      const originals = [wav(0.2, beep()), mp3(20), mp4(1, 64, 64, 100)];
      for (let seed = 1; seed <= 150; seed += 1) {
        const bytes = Buffer.from(originals[seed % 3] ?? []);
        for (let change = 0; change < 6; change += 1)
          bytes[(seed * 7919 + change * 104_729) % Math.min(bytes.length, 600)] =
            (seed * 31 + change * 57) % 256;
        const type = ['audio/wav', 'audio/mpeg', 'video/mp4'][seed % 3] ?? '';
        await media.factsOf(sourceOf(type, bytes)).catch((error) => assert.ok(error instanceof MediaError));
      }
    });

    it('gives up on a file that is not read in time', async () => {
      const stream = new Readable({ read() {} });
      const source = { type: 'audio/wav', size: 1_000_000, stream };
      await assert.rejects(create(20).factsOf(source), { code: 'too_slow' });
      assert.ok(stream.destroyed);
    });
  });
}
