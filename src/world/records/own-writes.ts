import { createPauses } from '../../kit/pauses.ts';
import type { FileStat, FileStore } from '../../platform/files/files.ts';
import { folderOf } from '../../platform/files/paths.ts';
import { isSameFile } from '../../platform/files/same-file.ts';

/** A watcher tells of a write within seconds. */
const REMEMBERED_MS = 10_000;

interface OwnWrite {
  path: string;
  /** What was written, once its row is stored; undefined where nothing came of it. */
  stored: Promise<FileStat | undefined>;
  until: number;
}

/**
 * Files that this process writes and whose rows it stores itself. A watcher tells of them as of anybody's, often before
 * the rows are there: what lies there as it was written is no news.
 */
export interface OwnWrites {
  /** To be called before files are written; what it returns is to be told of those whose rows are stored, in any case. */
  begin(files: readonly { path: string; newFolder: boolean }[]): (stored: readonly FileStat[]) => void;
  /** Those of some paths that somebody else may have changed, once nothing is under way at them. A folder that was made for a file is as the file is. */
  news(paths: readonly string[]): Promise<string[]>;
  /** Whether this is such a file of the last moments, or the folder that was made for one. */
  isOwn(path: string): boolean;
}

export function createOwnWrites(files: Pick<FileStore, 'stat'>): OwnWrites {
  /** By the path of the file or folder, oldest first. */
  const writes = new Map<string, OwnWrite>();

  function remember(place: string, write: OwnWrite): void {
    writes.delete(place);
    writes.set(place, write);
  }

  function forgetOld(): void {
    const now = performance.now();
    for (const [place, { until }] of writes) {
      if (until > now) return;
      writes.delete(place);
    }
  }

  async function isEcho({ path, stored }: OwnWrite): Promise<boolean> {
    const written = await stored;
    if (written === undefined) return false;
    const present = await files.stat(path);
    return present !== undefined && isSameFile(present, written);
  }

  return {
    begin(files) {
      forgetOld();
      const end = Promise.withResolvers<ReadonlyMap<string, FileStat>>();
      const until = performance.now() + REMEMBERED_MS;
      for (const { path, newFolder } of files) {
        const write = { path, stored: end.promise.then((stats) => stats.get(path)), until };
        remember(path, write);
        if (newFolder) remember(folderOf(path), write);
      }
      return (stored) => end.resolve(new Map(stored.map((stat) => [stat.path, stat])));
    },
    async news(paths) {
      const found: string[] = [];
      const echoes = new Map<OwnWrite, boolean>();
      const pause = createPauses();
      for (const path of paths) {
        const write = writes.get(path);
        if (write && !echoes.has(write)) echoes.set(write, await isEcho(write));
        if (write === undefined || !echoes.get(write)) found.push(path);
        await pause();
      }
      return found;
    },
    isOwn: (path) => (writes.get(path)?.until ?? 0) > performance.now(),
  };
}
