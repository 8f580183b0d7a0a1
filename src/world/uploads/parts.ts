import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { badRequest, HttpError, isDiskFull, tooLarge, unavailable } from '../../kit/errors.ts';
import { BlobsError } from '../../platform/blobs/blobs.ts';
import { createKeptFolders, type Kept, type KeptFoldersOptions } from './kept-folders.ts';

export interface Begun extends Kept {
  size: number;
  /** The caller's `Upload-Metadata`. */
  metadata: string;
  /** True once an asset was begun from it: after a crash there may be one. */
  isTried: boolean;
  /** Once it is set, the bytes are removed. */
  assetId: string | null;
}

/** The unfinished uploads: a folder each, with `bytes` in it. */
export function createParts(options: KeptFoldersOptions) {
  const folders = createKeptFolders<Begun>(options);
  const bytesOf = (id: string) => folders.placeOf(id, 'bytes');

  return {
    ...folders,
    bytesOf,

    async begin(begun: Begun): Promise<void> {
      await folders.make(begun.id);
      await writeFile(bytesOf(begun.id), '', { mode: 0o600 });
      await folders.note(begun);
    },

    async offsetOf({ id, size, assetId }: Begun): Promise<number> {
      return assetId === null ? (await stat(bytesOf(id))).size : size;
    },

    /** Appends from an offset; bytes before a broken connection stay. Resolves to the new offset. */
    async append({ id, size }: Begun, stream: Readable, offset: number): Promise<number> {
      const file = await open(bytesOf(id), 'r+');
      try {
        return await writeStream(file, stream, { offset, size });
      } finally {
        await file.close();
      }
    },

    async noteTry(begun: Begun): Promise<Begun> {
      const tried = { ...begun, isTried: true };
      await folders.note(tried);
      return tried;
    },

    /** Stores the asset's id until the upload expires, for repeated requests. */
    async finish(begun: Begun, assetId: string): Promise<Begun> {
      const finished = { ...begun, assetId };
      await folders.note(finished);
      await rm(bytesOf(begun.id), { force: true });
      return finished;
    },
  };
}

export type Parts = ReturnType<typeof createParts>;

export const tooMany = (size: number) =>
  tooLarge(`These are more bytes than the ${size} that were promised`, { code: 'too_large' });

/** Writes a request's body from an offset up to `size` and syncs it to disk; resolves to the new offset. */
export async function writeStream(
  file: FileHandle,
  stream: Readable,
  { offset, size, see }: { offset: number; size: number; see?: (bytes: Uint8Array) => void },
): Promise<number> {
  let position = offset;
  try {
    for await (const bytes of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      if (position + bytes.byteLength > size) throw tooMany(size);
      await writeAll(file, bytes, position);
      see?.(bytes);
      position += bytes.byteLength;
    }
    await file.datasync();
    return position;
  } catch (error) {
    throw toHttpError(error);
  }
}

/** Turns connection errors into refusals; errors of disks and stores stay as they are. */
function toHttpError(error: unknown): unknown {
  if (isDiskFull(error)) return unavailable('The disk is full: send the rest later', 30);
  if (error instanceof HttpError || error instanceof BlobsError) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  return badRequest('The request ended too early: ask where to continue', { code: 'cut_off' });
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}
