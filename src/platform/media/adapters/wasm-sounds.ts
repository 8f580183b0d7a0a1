import { createQueue } from '../../../kit/queue.ts';
import { ProcessError, runInProcess } from '../../../kit/run-in-process.ts';
import { type Loudness, SoundError, type Sounds } from '../sounds.ts';
import type { SoundOrder } from './decode-sound.worker.ts';

const MOST_MS = 60_000;
/** Memory limits of the process, for the decoder and the sound. */
const LIMITS = ['--max-old-space-size=384', '--wasm-max-mem-pages=2048'];
const DECODED: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/ogg', 'audio/flac']);

const SAID = {
  too_slow: `It takes more than ${MOST_MS / 1000} seconds to decode`,
  ended: 'It is damaged, or packed in a way that is not decoded here',
  not_started: 'It could not be decoded',
};

/**
 * Decodes MP3 (MPEG-1), FLAC, Ogg Vorbis and Opus, one sound at a time, each in a process of its own: decoders trust
 * their input, and an hour of music takes minutes.
 */
export function createWasmSounds(): Sounds {
  const queue = createQueue({
    atOnce: 1,
    mostWaiting: 20,
    whenFull: () => new SoundError('busy', 'Too many sounds are being decoded at the moment'),
  });
  return {
    canDecode: (type) => DECODED.has(type),
    loudnessOf: ({ type, bytes }, count) =>
      queue(async () => {
        const order: SoundOrder = { type, bytes, count };
        try {
          const script = new URL('./decode-sound.worker.ts', import.meta.url);
          return await runInProcess<Loudness>(script, order, { mostMs: MOST_MS, limits: LIMITS });
        } catch (error) {
          if (!(error instanceof ProcessError)) throw error;
          const code = error.failure === 'too_slow' ? 'too_slow' : 'broken';
          throw new SoundError(code, SAID[error.failure], { cause: error });
        }
      }),
  };
}
