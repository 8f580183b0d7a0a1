import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib';
import { decodeDelta, encodeDelta } from './history-delta.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Good for text; the higher ones take many times longer for little. */
const QUALITY = 6;

/** Up to so many bytes the way to another thread and back takes longer than the work; most changes of a text are smaller. */
const SMALL = 1024;

/** Packs a text, as what it takes to make it from `newer` where that is given. Works off the main thread where it takes long. */
export async function packText(text: string, newer: string | null): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  const plain = newer === null ? bytes : encodeDelta(Buffer.from(newer), bytes);
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  };
  return plain.length <= SMALL ? brotliCompressSync(plain, options) : compress(plain, options);
}

/** The text again, character for character. Throws when it was packed with another `newer`, or is damaged. */
export async function unpackText(packed: Uint8Array, newer: string | null): Promise<string> {
  const plain = await decompress(packed);
  return Buffer.from(newer === null ? plain : decodeDelta(Buffer.from(newer), plain)).toString();
}
