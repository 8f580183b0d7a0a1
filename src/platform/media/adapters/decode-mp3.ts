import mp3 from 'js-mp3';
import type { Decoded, OnSamples } from './decoded.ts';

/** Samples per channel in a frame of MPEG-1. */
const FRAME = 1152;
const LOUDEST = 2 ** 15;

export function decodeMp3(file: Uint8Array, onSamples: OnSamples): Decoded {
  const decoder = mp3.newDecoder(Uint8Array.from(file).buffer);
  if (decoder === null) throw new Error('no MPEG-1 Layer III');
  do {
    onSamples(channelsOf(new Int16Array(decoder.buf ?? new ArrayBuffer())));
    // Without this the library would keep the whole sound.
    decoder.buf = null;
  } while (!decoder.readFrame().err);
  return { rate: decoder.sampleRate };
}

function channelsOf(samples: Int16Array): Float32Array[] {
  const count = Math.max(1, Math.floor(samples.length / FRAME));
  return Array.from({ length: count }, (_, channel) =>
    Float32Array.from(
      { length: samples.length / count },
      (_, at) => (samples[at * count + channel] ?? 0) / LOUDEST,
    ),
  );
}
