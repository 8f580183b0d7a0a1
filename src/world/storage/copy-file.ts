import { buffer } from 'node:stream/consumers';
import { sha256Hex, streamingSha256 } from '../../kit/crypto.ts';
import { messageOf, unavailable } from '../../kit/errors.ts';
import { fileDigest } from '../../platform/files/file-digest.ts';
import { type FileStat, type FileStore, FilesError } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { NOT_YET_COPIED } from './storage.tables.ts';
import type { CopiedFile, StoredContent } from './stored-content.ts';

/** Bytes above which files are streamed. */
const LARGE = 8 * 1024 * 1024;

export interface Places {
  from: StoredContent;
  to: StoredContent;
  /** The folder for other files that are in the way at the new place. */
  asideFolder: string;
  /** The files that this move has written, or begun to write, at the new place; kept up to date. */
  copied: Map<string, CopiedFile>;
  noteBegun(files: readonly CopiedFile[]): Promise<void>;
}

/** Copies a file and reads it back; null if it is gone. `isOthers` is true if the file at the new place is not a copy of this move. */
export async function copyFile(places: Places, path: string, isOthers: boolean): Promise<CopiedFile | null> {
  try {
    return (isOthers ? await takeOrPutAside(places, path) : null) ?? (await writeAndMend(places, path));
  } catch (error) {
    if (await isGone(places.from.files, path)) return null;
    throw error;
  }
}

const isGone = (files: FileStore, path: string): Promise<boolean> =>
  files.stat(path).then(
    (stat) => stat === undefined,
    () => false,
  );

/** Records files as this move's own before they are written: a crash can leave unreadable ones. */
export async function begin({ copied, noteBegun }: Places, paths: readonly string[]): Promise<void> {
  const begun = paths.filter((path) => !copied.has(path)).map(notYetCopied);
  await noteBegun(begun);
  for (const file of begun) copied.set(file.path, file);
}

/** Accepts an identical file at the new place and puts a different one aside. */
async function takeOrPutAside(places: Places, path: string): Promise<CopiedFile | null> {
  const { from } = places;
  const source = await from.files.stat(path);
  if (!source) return null;
  const target = await readable(places, path);
  if (source.size === target?.stat.size && (await fileDigest(from.files, path)) === target.sha256)
    return { path, size: source.size, sha256: target.sha256, ...statColumns(source, target.stat) };
  if (target) await putAside(places, path);
  await begin(places, [path]);
  return null;
}

/** Reads the file at the new place. Undefined if there is none, or an unreadable one of this move. */
async function readable({ to, copied }: Places, path: string) {
  try {
    const stat = await to.files.stat(path);
    return stat && { stat, sha256: await fileDigest(to.files, path) };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    await requireAnswer(to);
    if (error.code === 'not_found' || copied.has(path)) return undefined;
    throw new FilesError(
      error.code,
      path,
      `"${path}" is at the new place already, cannot be read there, and stays until somebody takes it away: ${error.message}`,
      { cause: error },
    );
  }
}

export const putAside = ({ to, asideFolder }: Places, path: string): Promise<void> =>
  to.files.move(path, `${asideFolder}/${path}`).catch(ifGone);

/** Throws if the storage accepts nothing at all: it is then unreachable, and no file is to blame. */
export async function requireAnswer(to: StoredContent): Promise<void> {
  await to.establish().catch((cause: unknown) => {
    throw unavailable(messageOf(cause));
  });
}

/** A storage can hold an object that can be neither read nor replaced; it is then removed first. */
async function writeAndMend(places: Places, path: string): Promise<CopiedFile> {
  const { from, to } = places;
  try {
    return await writeAndReadBack(places, path);
  } catch (error) {
    if (!(error instanceof FilesError) || error.code !== 'io') throw error;
    await requireAnswer(to);
    // If the old place fails, an earlier copy may be all that is left of the file.
    await fileDigest(from.files, path);
    await to.discard(path).catch(() => undefined);
    return writeAndReadBack(places, path);
  }
}

async function writeAndReadBack({ from, to }: Places, path: string): Promise<CopiedFile> {
  const source = await from.files.open(path);
  const { sha256, stat } = await write(to.files, source.stat, source.stream());
  const there = await fileDigest(to.files, path).catch((cause: unknown) => {
    throw new FilesError('io', path, `"${path}" was written and cannot be read back: ${messageOf(cause)}`, {
      cause,
    });
  });
  if (there !== sha256)
    throw new FilesError('io', path, `"${path}" reads otherwise at the new place than it was written`);
  return { path, size: stat.size, sha256, ...statColumns(source.stat, stat) };
}

const notYetCopied = (path: string): CopiedFile => ({
  ...{ path, size: 0, sha256: NOT_YET_COPIED },
  ...{ from_mtime_ms: 0, from_ctime_ms: 0, from_ino: 0 },
  ...{ to_mtime_ms: 0, to_ctime_ms: 0, to_ino: 0 },
});

const statColumns = (from: FileStat, to: FileStat) => ({
  from_mtime_ms: from.mtimeMs,
  from_ctime_ms: from.ctimeMs,
  from_ino: from.ino,
  to_mtime_ms: to.mtimeMs,
  to_ctime_ms: to.ctimeMs,
  to_ino: to.ino,
});

async function write(files: FileStore, { path, size }: FileStat, stream: AsyncIterable<Uint8Array>) {
  if (size <= LARGE) {
    const bytes = await buffer(stream);
    return { sha256: sha256Hex(bytes), stat: await files.write(path, bytes) };
  }
  const hash = streamingSha256();
  async function* hashed() {
    for await (const piece of stream) {
      hash.update(piece);
      yield piece;
    }
  }
  const stat = await files.write(path, hashed());
  return { sha256: hash.digest('hex'), stat };
}
