import mp3 from 'js-mp3';
import type { Decoded, TakeSamples } from './decoded.ts';

/** Samples of each channel in a frame of MPEG-1. */
const FRAME = 1152;
const LOUDEST = 2 ** 15;

/** MPEG-1 Layer III, frame by frame; hands over what each holds. */
export function decodeMp3(file: Uint8Array, take: TakeSamples): Decoded {
  const decoder = mp3.newDecoder(Uint8Array.from(file).buffer);
  if (decoder === null) throw new Error('no MPEG-1 Layer III');
  do {
    take(channelsOf(new Int16Array(decoder.buf ?? new ArrayBuffer())));
    // Else it would keep the whole sound.
    decoder.buf = null;
  } while (!decoder.readFrame().err);
  return { rate: decoder.sampleRate };
}

/** Samples of the channels take turns. */
function channelsOf(samples: Int16Array): Float32Array[] {
  const count = Math.max(1, Math.floor(samples.length / FRAME));
  return Array.from({ length: count }, (_, channel) =>
    Float32Array.from(
      { length: samples.length / count },
      (_, at) => (samples[at * count + channel] ?? 0) / LOUDEST,
    ),
  );
}
