import loadFlac from 'libflacjs';
import type { Decoded, TakeSamples } from './decoded.ts';

const OGG = 'OggS';

/** FLAC, as it is or in Ogg; hands over what each of its blocks holds. */
export async function decodeFlac(file: Uint8Array, take: TakeSamples): Promise<Decoded> {
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
      take(channels.map((bytes) => samplesOf(bytes, bitsPerSample)));
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
  // Where there is one, the library asks it for its own file, by a path that is no address.
  Reflect.deleteProperty(globalThis, 'fetch');
  const flac = loadFlac('min.wasm');
  if (!flac.isReady()) await new Promise<void>((resolve) => flac.on('ready', () => resolve()));
  return flac;
}

/** Whole numbers of one, two or four bytes, the smallest that hold so many bits. */
function samplesOf(bytes: Uint8Array<ArrayBuffer>, bits: number): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  const loudest = 2 ** (bits - 1);
  if (bits <= 8)
    return Float32Array.from(new Int8Array(buffer, byteOffset, byteLength), (each) => each / loudest);
  const Samples = bits <= 16 ? Int16Array : Int32Array;
  const samples = new Samples(buffer, byteOffset, byteLength / Samples.BYTES_PER_ELEMENT);
  return Float32Array.from(samples, (each) => each / loudest);
}
