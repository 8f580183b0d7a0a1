import { isMassDeletion } from '../../content/replica/index.ts';
import { conflict } from '../../kit/errors.ts';
import { type FileStat, FilesError, type ScanBatch } from '../../platform/files/files.ts';
import { ASIDE_ROOT } from '../texts/index.ts';
import { eachPastFailures, type LeftOut, together } from './copy-failures.ts';
import { begin, copyFile, type Places, putAside, requireAnswer } from './copy-file.ts';
import type { CopiedFile } from './stored-content.ts';

export interface CopyOptions extends Places {
  /** Paths that the mirror knows: if far fewer are listed, the place itself is unreachable. */
  expected: readonly string[];
  noteCopied(file: CopiedFile): Promise<void>;
  noteGone(paths: readonly string[]): Promise<void>;
  /** Rejects if the work must end. */
  checkpoint(): Promise<void>;
}

export interface CopyRound {
  changes: number;
  leftOut: LeftOut;
}

/** A file changed within this time before its listing may change again unnoticed (milliseconds). */
const RACY_MS = 100;

/** Updates the new place from the old one as far as possible. */
export async function copyRound(options: CopyOptions): Promise<CopyRound> {
  const { from, copied } = options;
  const listedAt = Date.now();
  const listing = await from.walk();
  requireMost(listing, options.expected);
  const there = await listTarget(options, listing.files);
  const isGone = goneFrom(listing);
  const gone = [...copied.keys()].filter(isGone);
  const strangers = [...there.keys()].filter((path) => isGone(path) && !copied.has(path) && !isAside(path));
  const changed = listing.files.filter((file) => {
    const known = copied.get(file.path);
    return !isCopied(file, known) || !isStillThere(there.get(file.path), known);
  });

  const absent = changed.filter(({ path }) => !there.has(path));
  await begin(
    options,
    absent.map(({ path }) => path),
  );

  async function copy(file: FileStat): Promise<void> {
    await options.checkpoint();
    const isOthers = there.has(file.path) && !isStillThere(there.get(file.path), copied.get(file.path));
    const done = await copyFile(options, file.path, isOthers);
    if (done === null) return;
    const isRacy = file.ctimeMs > listedAt - RACY_MS;
    const noted = isRacy ? { ...done, from_ctime_ms: 0 } : done;
    copied.set(file.path, noted);
    await options.noteCopied(noted);
  }

  const leftOut = together([
    unreadableIn(listing),
    await removeGone(options, gone),
    await eachPastFailures(strangers, (path) => putAside(options, path)),
    await eachPastFailures(changed, copy),
  ]);
  return { changes: gone.length + changed.length, leftOut };
}

/** Throws unless the new place has exactly the copied files. */
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

/** True if the new place still has the copy, and not another file or none. */
const isStillThere = (stat: FileStat | undefined, copy: CopiedFile | undefined): boolean =>
  stat !== undefined &&
  stat.size === copy?.size &&
  stat.ino === copy.to_ino &&
  stat.mtimeMs === copy.to_mtime_ms;

function requireMost({ files, skipped }: ScanBatch, expected: readonly string[]): void {
  const isGone = goneFrom({ files, skipped });
  const missing = expected.filter(isGone).length;
  if (isMassDeletion(missing, expected.length))
    throw conflict(
      `${missing} of ${expected.length} known files are not at the old place: is its disk mounted? A sync with force confirms that they are gone`,
      { code: 'content_missing' },
    );
}

const unreadable = ({ skipped }: ScanBatch) => skipped.filter(({ reason }) => reason === 'unreadable');

const unreadableIn = (listing: ScanBatch): LeftOut => ({
  reasons: unreadable(listing).map(
    ({ path }) =>
      `"${path}" cannot be listed at the old place: it is being moved there, or its owner and mode keep the service out`,
  ),
  untried: 0,
});

/** A file that is not listed is gone, unless it is below a folder that could not be listed. */
function goneFrom(listing: ScanBatch): (path: string) => boolean {
  const here = new Set(listing.files.map(({ path }) => path));
  const hidden = unreadable(listing).map(({ path }) => path);
  return (path) => !here.has(path) && !hidden.some((each) => path === each || path.startsWith(`${each}/`));
}

/** Lists the new place. If a damaged object prevents that, each object is checked, and unreadable ones are undefined. */
async function listTarget(
  { to, copied, checkpoint }: CopyOptions,
  files: readonly FileStat[],
): Promise<ReadonlyMap<string, FileStat | undefined>> {
  try {
    return new Map((await to.walk()).files.map((file) => [file.path, file]));
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    await requireAnswer(to);
    const there = new Map<string, FileStat | undefined>();
    const paths = new Set([...files.map(({ path }) => path), ...copied.keys()]);
    const { untried } = await eachPastFailures([...paths], async (path) => {
      await checkpoint();
      there.set(path, undefined);
      const stat = await to.files.stat(path);
      if (stat) there.set(path, stat);
      else there.delete(path);
    });
    if (untried > 0) throw error;
    return there;
  }
}

async function removeGone({ to, copied, noteGone }: CopyOptions, gone: readonly string[]): Promise<LeftOut> {
  const removed: string[] = [];
  const leftOut = await eachPastFailures(gone, async (path) => {
    await to.discard(path);
    copied.delete(path);
    removed.push(path);
  });
  await noteGone(removed);
  return leftOut;
}
