import type { FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError, damaged } from '../archive-error.ts';
import { createByteReader, fileBytes } from '../byte-reader.ts';
import { readName } from '../entry-name.ts';
import type { EntryTree } from '../entry-tree.ts';
import type { FileStore } from '../file-store.ts';
import { through } from '../inflating.ts';
import { nextEntry, paddingOf, requireEnd } from './tar-entries.ts';
import type { TarHeader } from './tar-header.ts';

const FILE = '0';
const FOLDER = '5';
const REFUSED: Readonly<Record<string, string>> = {
  1: 'that is a hard link: pack the file itself, in GNU tar with --hard-dereference',
  2: 'that is a symbolic link: pack the file itself, in tar with -h',
  3: 'that is a device: leave it out',
  4: 'that is a device: leave it out',
  6: 'that is a named pipe: leave it out',
  S: 'that is a sparse file: pack it without the option for these',
};

export interface TarArchive {
  file: FileHandle;
  /** Of the file, in bytes. */
  size: number;
  /** The most bytes that the tar in it may have, with its headers. */
  most: number;
}

/** Unpacks a tar in one or more members of gzip. Throws `ArchiveError`. */
export async function unpackTarGz({ file, size, most }: TarArchive, tree: EntryTree, store: FileStore) {
  const gunzip = createGunzip();
  await through(fileBytes(file, 0, size), gunzip, (bytes) => unpackTar(limited(bytes, most), tree, store));
  if (gunzip.bytesWritten !== size) throw damaged('goes on after its end');
}

/** Headers, notes and zeros are not bytes of any file, but may be as many as one likes. */
async function* limited(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let counted = 0;
  for await (const piece of bytes) {
    counted += piece.length;
    if (counted > most)
      throw new ArchiveError('too_large', `unpacks to more than ${most} bytes: leave something out`);
    yield piece;
  }
}

async function unpackTar(bytes: AsyncIterable<Buffer>, tree: EntryTree, store: FileStore): Promise<void> {
  const reader = createByteReader(bytes);
  for (let entry = await nextEntry(reader); entry !== null; entry = await nextEntry(reader)) {
    const name = nameOf(entry);
    tree.add(name);
    await store.put(name, reader.pieces(entry.size));
    await reader.take(paddingOf(entry.size));
  }
  await requireEnd(reader);
}

/** Old programs tell folders by a slash after the name alone. */
function nameOf({ kind, name, size }: TarHeader) {
  const refuse = (reason: string) => new ArchiveError('bad_entry', reason, { entry: name });
  if (kind !== FILE && kind !== FOLDER)
    throw refuse(REFUSED[kind] ?? 'that is neither a file nor a folder: leave it out');
  const { path, isFolder } = readName(name);
  if ((isFolder || kind === FOLDER) && size > 0)
    throw refuse('that is a folder with bytes of its own: pack it again');
  return { path, isFolder: isFolder || kind === FOLDER };
}
