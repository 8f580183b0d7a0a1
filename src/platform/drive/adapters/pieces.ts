import type { Readable } from 'node:stream';
import { type DriveContent, DriveError } from '../drive.ts';

interface Opened {
  stream: Readable;
  chunks: AsyncIterator<Uint8Array>;
  /** Of the first byte that was not given away. */
  offset: number;
  /** Read already, but beyond the last piece. */
  rest: Uint8Array;
}

/** Pieces of a content, which is opened again only where the next one does not follow the last one. */
export function createPieces(content: DriveContent) {
  let opened: Opened | null = null;

  function close(): void {
    opened?.stream.destroy();
    opened = null;
  }

  function openAt(offset: number): Opened {
    if (opened?.offset === offset) return opened;
    close();
    const stream = content.from(offset);
    opened = { stream, chunks: stream[Symbol.asyncIterator](), offset, rest: new Uint8Array() };
    return opened;
  }

  return {
    /** Rejects as the content does, and with `DriveError` `refused` if it has fewer bytes than it should. */
    async read(offset: number, length: number): Promise<Buffer> {
      const from = openAt(offset);
      const chunks: Uint8Array[] = [];
      for (let missing = length; missing > 0; ) {
        const chunk = from.rest.length > 0 ? from.rest : await nextOf(from);
        const taken = chunk.subarray(0, missing);
        from.rest = chunk.subarray(taken.length);
        missing -= taken.length;
        chunks.push(taken);
      }
      from.offset += length;
      return Buffer.concat(chunks, length);
    },
    close,
  };
}

async function nextOf({ chunks }: Opened): Promise<Uint8Array> {
  const next = await chunks.next();
  if (next.done) throw new DriveError('refused', 'The file has fewer bytes than it was said to have');
  return next.value;
}
