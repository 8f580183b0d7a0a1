import type { FileHandle } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { ArchiveError, damaged } from '../archive-error.ts';
import { type ByteReader, createByteReader, fileBytes } from '../byte-reader.ts';
import type { EntryTree } from '../entry-tree.ts';
import type { FileStore } from '../file-store.ts';
import { through } from '../inflating.ts';
import { DEFLATED, readDirectoryEntry, spelled, type ZipEntry } from './zip-directory.ts';
import { readZipEnd, type ZipDirectory } from './zip-end.ts';
import { readDescriptor, readLocalHeader } from './zip-local.ts';

const LOCAL_HEADER = 30;

export interface ZipArchive {
  file: FileHandle;
  /** Of the file, in bytes. */
  size: number;
}

/**
 * Reads the directory, then the file from its start to the directory, in which every byte must belong to one entry: so
 * there is only one way to read it. Throws `ArchiveError`.
 */
export async function unpackZip(
  { file, size }: ZipArchive,
  tree: EntryTree,
  store: FileStore,
): Promise<void> {
  const directory = await readZipEnd(file, size);
  const entries = await readDirectory(file, directory, tree);
  refuseOverlaps(entries, directory.start);
  const reader = createByteReader(fileBytes(file, 0, directory.start));
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]?.offset ?? directory.start;
    const end = entry.offset + (await readLocalHeader(reader, entry)) + entry.packed;
    await readData(reader, entry, store);
    await readDescriptor(reader, next - end, entry);
  }
}

/** In the order of their bytes. */
async function readDirectory(file: FileHandle, { start, end, count }: ZipDirectory, tree: EntryTree) {
  const reader = createByteReader(fileBytes(file, start, end));
  const entries: ZipEntry[] = [];
  while (entries.length < count) {
    const entry = await readDirectoryEntry(reader);
    tree.add(entry.name);
    entries.push(entry);
  }
  const { done } = await reader.rest().next();
  if (!done) throw damaged('has more entries than it says');
  return entries.sort((a, b) => a.offset - b.offset);
}

/** Entries that share bytes unpack to far more than an archive holds. Gaps between them are found when they are read. */
function refuseOverlaps(entries: readonly ZipEntry[], directoryStart: number): void {
  if ((entries[0]?.offset ?? directoryStart) !== 0) throw damaged('has bytes that belong to no entry');
  for (const [index, entry] of entries.entries()) {
    const end = entry.offset + LOCAL_HEADER + entry.rawName.length + entry.packed;
    if (end > (entries[index + 1]?.offset ?? directoryStart))
      throw new ArchiveError(
        'overlapping',
        'that shares bytes with another or with the directory: pack it again',
        {
          entry: spelled(entry),
        },
      );
  }
}

async function readData(reader: ByteReader, entry: ZipEntry, store: FileStore): Promise<void> {
  const put = (bytes: AsyncIterable<Buffer>) => store.put(entry.name, verified(bytes, entry));
  if (entry.method !== DEFLATED) return put(reader.pieces(entry.packed));
  const inflate = createInflateRaw();
  await through(reader.pieces(entry.packed), inflate, put);
  if (inflate.bytesWritten !== entry.packed) throw wrong(entry);
}

async function* verified(bytes: AsyncIterable<Buffer>, entry: ZipEntry): AsyncGenerator<Buffer> {
  let size = 0;
  let sum = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > entry.size) throw wrong(entry);
    sum = crc32(piece, sum);
    yield piece;
  }
  if (size !== entry.size || sum !== entry.sum) throw wrong(entry);
}

const wrong = (entry: ZipEntry) =>
  damaged('whose bytes are not those that it was packed from', { entry: spelled(entry) });
