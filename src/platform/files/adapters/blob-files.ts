import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eachAtOnce } from '../../../kit/each-at-once.ts';
import { type BlobStore, BlobsError, type PutOptions } from '../../blobs/blobs.ts';
import {
  type FileContent,
  type FileStat,
  type FileStore,
  type FileStoreDescription,
  FilesError,
  type FolderEntry,
  type OpenFile,
  type WriteOptions,
} from '../files.ts';
import { folderOf, safeFolder, safePath } from '../paths.ts';
import { isSameFile } from '../same-file.ts';
import { writeEach } from '../write-each.ts';
import { blobFilesError, explainedBy, isAbsent } from './blob-errors.ts';
import { AT_ONCE, hasBelow, keysBelow } from './blob-listing.ts';
import { createBlobMoves, MOVES, NOTES } from './blob-moves.ts';
import { createBlobPlaces } from './blob-places.ts';
import { blobFileStat } from './blob-stat.ts';

export interface BlobFilesOptions {
  /** Holds only the content; its creator closes it. */
  blobs: BlobStore;
  description: Extract<FileStoreDescription, { kind: 'blob' }>;
  now?: () => number;
}

/**
 * A file is an object under its path, and a folder a common prefix, so it is never empty. A move consists of copies (`blob-
 * moves.ts`); a folder's objects are removed one by one.
 */
export function createBlobFiles({ blobs, description, now = Date.now }: BlobFilesOptions): FileStore {
  const places = createBlobPlaces(blobs);
  const moves = createBlobMoves(blobs, now);

  async function statOf(path: string): Promise<FileStat | undefined> {
    const stat = await blobs.stat(safePath(path));
    if (stat === null) return undefined;
    places.noteFile(path);
    return blobFileStat(path, stat);
  }

  async function missing(path: string): Promise<FilesError> {
    if (await hasBelow(blobs, `${path}/`)) return new FilesError('not_a_file', path, `"${path}" is a folder`);
    return new FilesError('not_found', path, `there is no "${path}"`);
  }

  async function readTagged(path: string): Promise<{ bytes: Uint8Array; etag: string }> {
    try {
      const { stream, etag } = await blobs.get(safePath(path));
      const bytes = await buffer(stream);
      places.noteFile(path);
      return { bytes, etag };
    } catch (error) {
      throw isAbsent(error) ? await missing(path) : error;
    }
  }

  async function open(path: string): Promise<OpenFile> {
    const found = await blobs.stat(safePath(path));
    if (found === null) throw await missing(path);
    const { etag, size } = found;
    const stream = (range?: { start: number; end: number }) =>
      size === 0
        ? Readable.from([])
        : Readable.from(piecesOf(blobs, path, { etag, range }), { objectMode: false });
    return { stat: blobFileStat(path, found), stream, close: () => undefined };
  }

  /** Throws if the object is no longer the one that was seen. */
  async function tagOf(path: string, seen: Uint8Array | FileStat): Promise<string> {
    if (seen instanceof Uint8Array) {
      const { bytes, etag } = await readTagged(path);
      if (Buffer.compare(bytes, seen) !== 0) throw changed(path);
      return etag;
    }
    const stat = await blobs.stat(path);
    if (stat === null) throw await missing(path);
    if (!isSameFile(blobFileStat(path, stat), seen)) throw changed(path);
    return stat.etag;
  }

  async function write(path: string, content: FileContent, options: WriteOptions = {}) {
    const { ifAbsent, onlyOver, newFolder } = options;
    safePath(path);
    if (newFolder) await requireNewFolder(folderOf(path));
    if (ifAbsent && (await blobs.stat(path)) !== null) throw exists(path);
    await places.requireFile(path);
    const counted = countedContent(content);
    const only: PutOptions['only'] = ifAbsent
      ? { ifAbsent }
      : onlyOver && { ifEtag: await tagOf(path, onlyOver) };
    const { etag } = await blobs.put(path, counted.body, only && { only }).catch((error: unknown) => {
      if (!(error instanceof BlobsError) || error.code !== 'changed') throw error;
      throw ifAbsent ? exists(path) : changed(path);
    });
    places.noteFile(path);
    const stored = await blobs.stat(path);
    if (stored && (etag === null || stored.etag === etag)) return blobFileStat(path, stored);
    // If somebody overwrote it right after, the stat of our own write makes the next look notice the change.
    return blobFileStat(path, { size: counted.size(), modifiedAt: now(), etag: etag ?? '' });
  }

  async function requireNewFolder(folder: string): Promise<void> {
    if (folder === '' || (await blobs.stat(folder)) !== null || (await hasBelow(blobs, `${folder}/`)))
      throw exists(folder);
  }

  async function keysOf(path: string): Promise<string[]> {
    if ((await blobs.stat(path)) !== null) return [path];
    const keys = await keysBelow(blobs, `${path}/`);
    if (keys.length === 0) throw new FilesError('not_found', path, `there is no "${path}"`);
    return keys;
  }

  async function move(from: string, to: string): Promise<void> {
    if (safePath(to).startsWith(`${safePath(from)}/`))
      throw new FilesError('bad_path', to, `"${from}" cannot be moved into itself ("${to}")`);
    await keysOf(from);
    if ((await blobs.stat(to)) !== null || (await hasBelow(blobs, `${to}/`))) throw exists(to);
    await places.requireFile(to);
    places.forget(from);
    await moves.run({ from, to });
  }

  async function list(folder: string): Promise<FolderEntry[]> {
    const prefix = safeFolder(folder) === '' ? '' : `${folder}/`;
    const entries = new Map<string, FolderEntry>();
    for (const key of await keysBelow(blobs, prefix)) {
      if (key.startsWith(folder === '' ? NOTES : MOVES)) continue;
      const rest = key.slice(prefix.length);
      const name = rest.split('/', 1)[0] ?? '';
      if (name !== '') entries.set(name, { name, kind: name === rest ? 'file' : 'folder' });
    }
    if (entries.size > 0 || folder === '') return [...entries.values()];
    if ((await blobs.stat(folder)) === null)
      throw new FilesError('not_found', folder, `there is no "${folder}"`);
    throw new FilesError('not_a_folder', folder, `"${folder}" is a file`);
  }

  const explainedWrite: FileStore['write'] = (path, content, options) =>
    explainedBy('write', path, () => write(path, content, options));

  return {
    describe: async () => description,
    probe: () => explainedBy('look at', '', async () => void (await hasBelow(blobs, ''))),
    stat: (path) => explainedBy('look at', path, () => statOf(path)),
    read: (path) => explainedBy('read', path, async () => (await readTagged(path)).bytes),
    open: (path) => explainedBy('open', path, () => open(path)),
    locate: async () => undefined,
    write: explainedWrite,
    writeMany: (files) => writeEach(explainedWrite, files),
    move: (from, to) => explainedBy('move', from, () => move(from, to)),
    remove: (path) =>
      explainedBy('remove', path, async () => {
        const keys = await keysOf(safePath(path));
        places.forget(path);
        await eachAtOnce(keys, AT_ONCE, (key) => blobs.delete(key));
      }),
    // A gap remains between the check and the removal: stores delete whatever has the key.
    removeOnly: (path, bytes) =>
      explainedBy('remove', path, async () => {
        await tagOf(path, bytes);
        places.forget(path);
        await blobs.delete(path);
      }),
    // A folder is a common prefix of keys: an empty one does not exist.
    removeEmptyFolder: async () => false,
    list: (folder) => explainedBy('list', folder, () => list(folder)),
    cleanTemporaryFiles: () => explainedBy('clean', '', moves.settle),
  };
}

/** Throws if the object that was seen has been replaced. */
async function* piecesOf(
  blobs: BlobStore,
  path: string,
  { etag, range }: { etag: string; range: { start: number; end: number } | undefined },
): AsyncGenerator<Uint8Array> {
  try {
    const { stream } = await blobs.get(path, { ifEtag: etag, ...(range && { range }) });
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw blobFilesError(error, 'read', path);
  }
}

function countedContent(content: FileContent) {
  let size = 0;
  if (typeof content === 'string' || content instanceof Uint8Array) {
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    return { body, size: () => body.byteLength };
  }
  async function* pieces(source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      size += piece.byteLength;
      yield piece;
    }
  }
  return { body: pieces(content), size: () => size };
}

const changed = (path: string) => new FilesError('changed', path, `"${path}" has other bytes by now`);
const exists = (path: string) => new FilesError('exists', path, `"${path}" exists already`);
