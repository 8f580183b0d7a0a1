import { constants } from 'node:fs';
import { folderOf } from '../paths.ts';
import type { Syscalls } from '../syscalls.ts';
import type { LocalRoot } from './local-root.ts';

export interface Durability {
  asWriter<T>(work: () => Promise<T>): Promise<T>;
  syncFile(fd: number): Promise<void>;
  /**
   * Removing the last name of a file waits for the disk as a sync does. Never rejects: `cleanTemporaryFiles` removes
   * leftovers.
   */
  removeName(absolute: string): Promise<void>;
  /** Resolves to the result for each. */
  syncFiles(fds: readonly number[]): Promise<PromiseSettledResult<void>[]>;
  /** Records a new folder: until its parent is synced, nothing in it is durable. */
  noteMade(folder: string): void;
  /** Also syncs new folders above it. */
  syncFolder(folder: string): Promise<void>;
  /** Resolves to the result for each. */
  syncFolders(folders: readonly string[]): Promise<PromiseSettledResult<void>[]>;
}

/** Milliseconds up to which the main thread waits for a sync itself. */
const quickSyncMs = 3;
/** Milliseconds after concurrent writers met in which every write looks for others; otherwise one in `lookEvery` does. */
const crowdedMs = 50;
const lookEvery = 8;

/** Number of files from which one sync of the file system costs less than a sync of each. */
const many = 16;
/** A slower sync of the file system was delayed by other programs' writes: then files are synced one by one for a while. */
const slowWholeMs = 1_000;
const avoidWholeMs = 60_000;

export function createDurability(root: LocalRoot, syscalls: Syscalls): Durability {
  let writers = 0;
  let lastSyncMs = 0;
  let crowdedUntil = 0;
  let writes = 0;
  const made = new Set<string>();
  const shared = createShared((folder) => syncEntries(folder));

  // A lone writer on a quick disk is a quarter faster without the thread pool; many writers are 1.6 times
  // faster with it, because their syncs overlap.
  const waitsHere = () => writers === 1 && lastSyncMs < quickSyncMs;

  const syncFile = async (fd: number) => {
    const started = performance.now();
    if (waitsHere()) syscalls.fsyncSync(fd);
    else await syscalls.fsync(fd);
    lastSyncMs = performance.now() - started;
  };

  const removeName = async (absolute: string) => {
    try {
      if (waitsHere()) syscalls.unlinkSync(absolute);
      else await syscalls.unlink(absolute);
    } catch {
      return;
    }
  };

  const syncEntries = async (folder: string) => {
    const fd = syscalls.openSync(root.absolute(folder), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await syncFile(fd);
    } finally {
      syscalls.closeSync(fd);
    }
  };

  const meetWriters = async () => {
    writes += 1;
    // A whole turn lets every ready request come this far. It costs a lone writer 7 %, so it is not always taken.
    await (writes % lookEvery === 0 || performance.now() < crowdedUntil ? nextTurn() : undefined);
    if (writers > 1) crowdedUntil = performance.now() + crowdedMs;
  };

  const syncFolder = async (folder: string) => {
    await shared(folder);
    if (made.size === 0) return;
    for (let at = folder; at !== ''; at = folderOf(at)) {
      if (!made.has(at)) continue;
      await shared(folderOf(at));
      made.delete(at);
    }
  };

  let avoidWholeUntil = 0;

  const sharedWhole = createShared(async (path) => {
    const started = performance.now();
    const avoid = () => {
      avoidWholeUntil = performance.now() + avoidWholeMs;
    };
    await syscalls.syncFileSystem(path).catch((error: unknown) => {
      avoid();
      throw error;
    });
    if (performance.now() - started > slowWholeMs) avoid();
  });

  /** True if everything written is on disk. After a failure, the sync of each file reports the reason. */
  const syncWhole = (): Promise<boolean> | false =>
    performance.now() >= avoidWholeUntil &&
    sharedWhole(root.absolute('')).then(
      () => true,
      () => false,
    );

  /** As a whole if that is less work, otherwise one by one. */
  const syncAll = async <Item>(
    items: readonly Item[],
    each: (item: Item) => Promise<void>,
  ): Promise<PromiseSettledResult<void>[]> =>
    items.length >= many && (await syncWhole())
      ? items.map(() => ({ status: 'fulfilled', value: undefined }))
      : Promise.allSettled(items.map((item) => each(item)));

  return {
    syncFile,
    removeName,
    syncFolder,
    syncFiles: (fds) => syncAll(fds, syscalls.fsync),
    syncFolders: async (folders) => {
      const before = [...made];
      let isWhole = folders.length > 0;
      const results = await syncAll(folders, (folder) => {
        isWhole = false;
        return syncFolder(folder);
      });
      if (isWhole) for (const folder of before) made.delete(folder);
      return results;
    },
    noteMade: (folder) => made.add(folder),
    asWriter: async (work) => {
      writers += 1;
      try {
        await meetWriters();
        return await work();
      } finally {
        writers -= 1;
      }
    },
  };
}

/** Callers of one key share a run of `work` that began after they asked: a running one may have missed their data. */
function createShared(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const runs = new Map<string, { running: Promise<void>; next: Promise<void> | undefined }>();

  const begin = (key: string): Promise<void> => {
    const running = work(key);
    const run = { running, next: undefined };
    runs.set(key, run);
    const finish = () => {
      if (runs.get(key) === run) runs.delete(key);
    };
    running.then(finish, finish);
    return running;
  };

  return (key) => {
    const run = runs.get(key);
    if (run === undefined) return begin(key);
    run.next ??= run.running.then(
      () => begin(key),
      () => begin(key),
    );
    return run.next;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
