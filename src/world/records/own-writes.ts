import { createPauses } from '../../kit/pauses.ts';
import type { FileStat, FileStore } from '../../platform/files/files.ts';
import { folderOf } from '../../platform/files/paths.ts';
import { isSameFile } from '../../platform/files/same-file.ts';

/** The watcher reports a write within seconds. */
const REMEMBERED_MS = 10_000;

interface OwnWrite {
  path: string;
  /** The written file once its row is stored; undefined if that failed. */
  stored: Promise<FileStat | undefined>;
  until: number;
}

/** Files that this process writes and whose rows it stores itself. The watcher reports them too, often before their rows exist. */
export interface OwnWrites {
  /** Must be called before the files are written; the returned function must always be called, with those whose rows are stored. */
  begin(files: readonly { path: string; newFolder: boolean }[]): (stored: readonly FileStat[]) => void;
  /** Waits for writes at the paths; resolves to those that somebody else may have changed. A folder made for a file counts like the file. */
  news(paths: readonly string[]): Promise<string[]>;
  isOwn(path: string): boolean;
}

export function createOwnWrites(files: Pick<FileStore, 'stat'>): OwnWrites {
  /** By path of file or folder, oldest first. */
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
