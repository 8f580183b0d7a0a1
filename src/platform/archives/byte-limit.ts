import { ArchiveError } from './archive-error.ts';

/** Counts the bytes of everything that is led through the result. Throws `ArchiveError`. */
export function createByteLimit(most: number) {
  let counted = 0;
  return async function* limited(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      counted += piece.length;
      if (counted > most)
        throw new ArchiveError('too_large', `unpacks to more than ${most} bytes: leave something out`);
      yield piece;
    }
  };
}
