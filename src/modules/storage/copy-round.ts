import { buffer } from 'node:stream/consumers';
import { sha256Hex, streamingSha256 } from '../../kit/crypto.ts';
import { eachAtOnce } from '../../kit/each-at-once.ts';
import { conflict } from '../../kit/errors.ts';
import { fileDigest } from '../../platform/files/file-digest.ts';
import { type FileStat, type FileStore, FilesError, type ScanBatch } from '../../platform/files/files.ts';
import type { StorageMoveFileRow } from './storage.tables.ts';

/** The files of a project at one place. */
export interface StoredContent {
  files: FileStore;
  /** All of it, or an error where a part cannot be listed. */
  walk(): Promise<ScanBatch>;
  /** Has the project be there, empty or not. */
  establish(): Promise<void>;
}

export type CopiedFile = Omit<StorageMoveFileRow, 'tenant_id' | 'project_id'>;

export interface CopyOptions {
  from: StoredContent;
  to: StoredContent;
  /** What earlier rounds copied; it is kept up to date. */
  copied: Map<string, CopiedFile>;
  /** Paths that the mirror knows: far fewer of them say that the place itself is away. */
  expected: readonly string[];
  /** Where what lies in the way at the new place is put. */
  asideFolder: string;
  noteCopied(file: CopiedFile): Promise<void>;
  noteGone(paths: readonly string[]): Promise<void>;
  /** Rejects when the work is to end. */
  checkpoint(): Promise<void>;
}

const AT_ONCE = 4;
/** Larger files are streamed (bytes). */
const LARGE = 8 * 1024 * 1024;
/** Files that may be missing at once, as with a sync that nobody confirmed. */
const MOST_MISSING = 50;
const MOST_MISSING_SHARE = 0.3;
/** Files changed so shortly before they were listed may change once more without another look (milliseconds). */
const RACY_MS = 100;

/** What earlier moves put aside. */
export const ASIDE_ROOT = '_RecycleBin/_storage';

/** Brings the new place up to the old one; resolves to how many files were copied or removed. */
export async function copyRound(options: CopyOptions): Promise<number> {
  const { from, to, copied } = options;
  const listedAt = Date.now();
  const listing = await from.walk();
  requireWhole(listing, options.expected);
  const there = new Map((await to.walk()).files.map((file) => [file.path, file]));
  const here = new Set(listing.files.map(({ path }) => path));
  const gone = await removeGone(options, here, there);
  await putAside(
    options,
    [...there.keys()].filter((path) => !here.has(path) && !copied.has(path)),
  );
  const changed = listing.files.filter((file) => {
    const known = copied.get(file.path);
    return !isCopied(file, known) || !isStillThere(there.get(file.path), known);
  });
  await eachAtOnce(changed, AT_ONCE, async (file) => {
    await options.checkpoint();
    const isOthers = there.has(file.path) && !isStillThere(there.get(file.path), copied.get(file.path));
    const done = await copyFile(options, file, isOthers).catch(ifGone);
    if (done === null) return;
    const isRacy = file.ctimeMs > listedAt - RACY_MS;
    const noted = isRacy ? { ...done, from_ctime_ms: 0 } : done;
    copied.set(file.path, noted);
    await options.noteCopied(noted);
  });
  return gone + changed.length;
}

/** Throws unless the new place has exactly what was copied. */
export async function requireCopies({ to, copied }: Pick<CopyOptions, 'to' | 'copied'>): Promise<void> {
  const { files } = await to.walk();
  const there = new Map(files.map((file) => [file.path, file]));
  for (const file of copied.values()) {
    const stat = there.get(file.path);
    if (!isStillThere(stat, file))
      throw conflict(`${file.path} was changed at the new place while it was copied there`, {
        code: 'copy_changed',
      });
    there.delete(file.path);
  }
  const [stranger] = [...there.keys()].filter((path) => !isAside(path));
  if (stranger !== undefined)
    throw conflict(`${stranger} appeared at the new place while files were copied there`, {
      code: 'copy_changed',
    });
}

const isAside = (path: string): boolean => path.startsWith(`${ASIDE_ROOT}/`);

const isCopied = (file: FileStat, known: CopiedFile | undefined): boolean =>
  known !== undefined &&
  known.size === file.size &&
  known.from_mtime_ms === file.mtimeMs &&
  known.from_ctime_ms === file.ctimeMs &&
  known.from_ino === file.ino;

/** Whether the new place has the copy that was made, and nobody else's file nor none. */
const isStillThere = (stat: FileStat | undefined, copy: CopiedFile | undefined): boolean =>
  stat !== undefined &&
  stat.size === copy?.size &&
  stat.ino === copy.to_ino &&
  stat.mtimeMs === copy.to_mtime_ms;

function requireWhole({ files, skipped }: ScanBatch, expected: readonly string[]): void {
  const [unreadable] = skipped.filter(({ reason }) => reason === 'unreadable');
  if (unreadable)
    throw conflict(`${unreadable.path} cannot be read at the old place: check its owner and mode`, {
      code: 'unreadable_file',
    });
  const here = new Set(files.map(({ path }) => path));
  const missing = expected.filter((path) => !here.has(path)).length;
  if (missing > MOST_MISSING || (missing > 1 && missing > expected.length * MOST_MISSING_SHARE))
    throw conflict(
      `${missing} of ${expected.length} known files are not at the old place: is its disk mounted? A sync with force confirms that they are gone`,
      { code: 'content_missing' },
    );
}

async function removeGone(
  { to, copied, noteGone }: CopyOptions,
  here: ReadonlySet<string>,
  there: ReadonlyMap<string, FileStat>,
): Promise<number> {
  const gone = [...copied.keys()].filter((path) => !here.has(path));
  for (const path of gone) {
    if (there.has(path)) await to.files.remove(path).catch(ifGone);
    copied.delete(path);
  }
  await noteGone(gone);
  return gone.length;
}

async function putAside({ to, asideFolder }: CopyOptions, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if (!isAside(path)) await to.files.move(path, `${asideFolder}/${path}`).catch(ifGone);
}

async function copyFile(options: CopyOptions, { path }: FileStat, isThere: boolean): Promise<CopiedFile> {
  const { from, to } = options;
  if (isThere) {
    const same = await sameFile(options, path);
    if (same) return same;
    await putAside(options, [path]);
  }
  const source = await from.files.open(path);
  const { sha256, stat } = await write(to.files, source.stat, source.stream());
  if ((await fileDigest(to.files, path)) !== sha256)
    throw new FilesError('io', path, `${path} reads otherwise at the new place than it was written`);
  return { path, size: stat.size, sha256, ...stated(source.stat, stat) };
}

/** A file that is at the new place already, byte by byte. */
async function sameFile({ from, to }: CopyOptions, path: string): Promise<CopiedFile | null> {
  const [source, target] = await Promise.all([from.files.stat(path), to.files.stat(path)]);
  if (!source || !target || source.size !== target.size) return null;
  const [sha256, other] = await Promise.all([fileDigest(from.files, path), fileDigest(to.files, path)]);
  return sha256 === other ? { path, size: source.size, sha256, ...stated(source, target) } : null;
}

const stated = (from: FileStat, to: FileStat) => ({
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

/** What vanished while it was looked at is found gone, or back, by the next round. */
function ifGone(error: unknown): null {
  if (error instanceof FilesError && error.code === 'not_found') return null;
  throw error;
}
