import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib';
import { decodeDelta, encodeDelta } from './history-delta.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Higher qualities take many times longer and save little. */
const QUALITY = 6;

/** Bytes up to which a round trip to another thread costs more than the work; most changes of a text are smaller. */
const SMALL = 1024;

/** Packs a text, as a delta to `newer` if given. Long work runs in another thread. */
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

/** Unpacks a text, character for character. Throws if it is damaged or was packed with another `newer`. */
export async function unpackText(packed: Uint8Array, newer: string | null): Promise<string> {
  const plain = await decompress(packed);
  return Buffer.from(newer === null ? plain : decodeDelta(Buffer.from(newer), plain)).toString();
}
