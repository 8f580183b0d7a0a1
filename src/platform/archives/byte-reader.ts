import type { FileHandle } from 'node:fs/promises';
import { createPauses } from '../../kit/pauses.ts';
import { damaged } from './archive-error.ts';

const PIECE = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** Hands out bytes in their order. Throws `ArchiveError` where some are missing. */
export interface ByteReader {
  /** Exactly so many, in memory. */
  take(length: number): Promise<Buffer>;
  /** Exactly so many, in pieces. */
  pieces(length: number): AsyncGenerator<Buffer>;
  /** All that are left. */
  rest(): AsyncGenerator<Buffer>;
}

const cutOff = () => damaged('is cut off');

/** The bytes of a file from `start` to before `end`. */
export async function* fileBytes(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw cutOff();
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  const pause = createPauses();
  let waiting: Buffer = NOTHING;

  async function next(most: number): Promise<Buffer | null> {
    await pause();
    while (waiting.length === 0) {
      const { done, value } = await chunks.next();
      if (done) return null;
      waiting = value;
    }
    const piece = waiting.subarray(0, most);
    waiting = waiting.subarray(piece.length);
    return piece;
  }

  async function* pieces(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await next(left);
      if (piece === null) throw cutOff();
      left -= piece.length;
      yield piece;
    }
  }

  return {
    pieces,

    async take(length) {
      const parts: Buffer[] = [];
      for await (const piece of pieces(length)) parts.push(piece);
      return Buffer.concat(parts, length);
    },

    async *rest() {
      for (let piece = await next(PIECE); piece !== null; piece = await next(PIECE)) yield piece;
    },
  };
}
