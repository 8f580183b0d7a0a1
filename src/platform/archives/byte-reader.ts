import { damaged } from './archive-error.ts';

export type ByteReader = ReturnType<typeof createByteReader>;

/** Hands out bytes in their order. Throws `ArchiveError` where some are missing. */
export function createByteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);

  async function* pieces(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (waiting.length === 0) {
        const { done, value } = await chunks.next();
        if (done) throw damaged('is cut off');
        waiting = value;
      }
      const piece = waiting.subarray(0, left);
      waiting = waiting.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  return {
    /** Exactly so many, in pieces. */
    pieces,

    /** Exactly so many, in memory. */
    async take(length: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const piece of pieces(length)) parts.push(piece);
      return Buffer.concat(parts, length);
    },

    /** Passes over all that are left. */
    async finish(): Promise<void> {
      while (!(await chunks.next()).done);
    },
  };
}
