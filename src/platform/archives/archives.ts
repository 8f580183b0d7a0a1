import { type FileHandle, open } from 'node:fs/promises';
import { ArchiveError } from './archive-error.ts';
import { createEntryTree } from './entry-tree.ts';
import { createFileStore, type UnpackedFile } from './file-store.ts';
import { unpackTarGz } from './tar/unpack-tar.ts';
import { unpackZip } from './zip/unpack-zip.ts';

export { ArchiveError, type ArchiveErrorCode } from './archive-error.ts';
export type { UnpackedFile } from './file-store.ts';
export { withoutPrefix } from './without-prefix.ts';

export interface ArchiveLimits {
  /** Of the archive itself, in bytes. */
  packedBytes: number;
  /** Of all entries together, with those that are left out. */
  unpackedBytes: number;
  /** Files and folders, with folders that are only part of a file's path. */
  entries: number;
}

/** For each entry of a tar: its headers, and the zeros after it. */
const AROUND_ENTRY = 4096;
const AROUND_TAR = 64 * 1024;

/**
 * Unpacks a `.zip` or `.tar.gz`, told by its bytes, into an existing, empty, private folder. Folders, and what systems
 * and version control add, are checked and left out. Throws `ArchiveError`; the folder then holds nothing.
 */
export async function unpack(archive: string, into: string, limits: ArchiveLimits): Promise<UnpackedFile[]> {
  const tree = createEntryTree(limits.entries);
  const store = createFileStore(into, limits.unpackedBytes);
  const file = await open(archive, 'r');
  try {
    const { size } = await file.stat();
    if (size > limits.packedBytes)
      throw new ArchiveError('too_large', `has more than ${limits.packedBytes} bytes: leave something out`);
    const kind = await kindOf(file);
    const most = limits.unpackedBytes + limits.entries * AROUND_ENTRY + AROUND_TAR;
    if (kind === 'zip') await unpackZip({ file, size }, tree, store);
    else await unpackTarGz({ file, size, most }, tree, store);
    return store.files();
  } catch (error) {
    await store.clear();
    throw error;
  } finally {
    await file.close();
  }
}

async function kindOf(file: FileHandle): Promise<'zip' | 'tar.gz'> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('latin1', 0, bytesRead);
  if (start === 'PK\x03\x04' || start === 'PK\x05\x06') return 'zip';
  if (start.startsWith('\x1f\x8b')) return 'tar.gz';
  throw new ArchiveError('not_an_archive', 'is neither a .zip nor a .tar.gz: pack the files as one of these');
}
