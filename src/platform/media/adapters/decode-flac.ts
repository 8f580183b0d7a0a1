import loadFlac from 'libflacjs';
import type { Decoded, OnSamples } from './decoded.ts';

const OGG = 'OggS';

/** Native, or in Ogg. */
export async function decodeFlac(file: Uint8Array, onSamples: OnSamples): Promise<Decoded> {
  const flac = await ready();
  const decoder = flac.create_libflac_decoder(false);
  let at = 0;
  let rate = 0;
  const state = flac.init_decoder_stream(
    decoder,
    (most) => {
      const buffer = file.slice(at, at + most);
      at += buffer.length;
      return { buffer, readDataLength: buffer.length, error: false };
    },
    (channels, { bitsPerSample, sampleRate }) => {
      rate = sampleRate;
      onSamples(channels.map((bytes) => samplesOf(bytes, bitsPerSample)));
    },
    () => {},
    undefined,
    String.fromCharCode(...file.subarray(0, OGG.length)) === OGG,
  );
  if (state !== 0) throw new Error('the decoder cannot begin');
  flac.FLAC__stream_decoder_process_until_end_of_stream(decoder);
  return { rate };
}

async function ready(): Promise<ReturnType<typeof loadFlac>> {
  // If `fetch` exists, the library loads its own file with it, by a path that is no URL.
  Reflect.deleteProperty(globalThis, 'fetch');
  const flac = loadFlac('min.wasm');
  if (!flac.isReady()) await new Promise<void>((resolve) => flac.on('ready', () => resolve()));
  return flac;
}

/** One, two or four bytes: the smallest size that holds this many bits. */
function samplesOf(bytes: Uint8Array<ArrayBuffer>, bits: number): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  const loudest = 2 ** (bits - 1);
  if (bits <= 8)
    return Float32Array.from(new Int8Array(buffer, byteOffset, byteLength), (each) => each / loudest);
  const Samples = bits <= 16 ? Int16Array : Int32Array;
  const samples = new Samples(buffer, byteOffset, byteLength / Samples.BYTES_PER_ELEMENT);
  return Float32Array.from(samples, (each) => each / loudest);
}
