import { open } from 'node:fs/promises';
import { ArchiveError, damaged } from './archive-error.ts';
import { createEntryTree } from './entry-tree.ts';
import { createFileStore, type UnpackedFile } from './file-store.ts';
import { unpackTarGz } from './unpack-tar.ts';
import { unpackZip } from './unpack-zip.ts';

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

/**
 * Unpacks a `.zip` or `.tar.gz`, told by its bytes, into an existing, empty, private folder. Folders, and what systems
 * and version control add, are checked and left out. Throws `ArchiveError`; the folder then holds nothing.
 */
export async function unpack(archive: string, into: string, limits: ArchiveLimits): Promise<UnpackedFile[]> {
  const tree = createEntryTree(limits.entries);
  const store = createFileStore(into, limits.unpackedBytes);
  try {
    if ((await kindOf(archive, limits.packedBytes)) === 'zip') await unpackZip(archive, tree, store);
    else await unpackTarGz(archive, 2 * limits.unpackedBytes, tree, store);
    return store.files();
  } catch (error) {
    await store.clear();
    throw isOfReader(error) ? damaged(`cannot be read (${error.message})`, { cause: error }) : error;
  }
}

async function kindOf(archive: string, mostBytes: number): Promise<'zip' | 'tar.gz'> {
  const file = await open(archive);
  try {
    const { size } = await file.stat();
    if (size > mostBytes)
      throw new ArchiveError('too_large', `has more than ${mostBytes} bytes: leave something out`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    if (start === 'PK\x03\x04' || start === 'PK\x05\x06') return 'zip';
    if (start.startsWith('\x1f\x8b')) return 'tar.gz';
  } finally {
    await file.close();
  }
  throw new ArchiveError('not_an_archive', 'is neither a .zip nor a .tar.gz: pack the files as one of these');
}

/** Errors of `yauzl` and `tar` have no code, those of zlib begin with `Z_`, and those of the disk have other codes. */
const isOfReader = (error: unknown): error is Error =>
  error instanceof Error &&
  error.constructor === Error &&
  (!('code' in error) || String(error.code).startsWith('Z_'));
