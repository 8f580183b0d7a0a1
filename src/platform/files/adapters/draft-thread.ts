import { Worker } from 'node:worker_threads';
import { FilesError, type FilesErrorCode, type FileWrite } from '../files.ts';
import type { Draft } from './local-write.ts';

export interface DraftOrder {
  id: number;
  root: string;
  files: readonly FileWrite[];
}

/** What became of one file; its handle is one of the process. */
export type Drafted = Pick<Draft, 'temporary' | 'target' | 'fd'> | { code: FilesErrorCode; message: string };

interface DraftReply {
  id: number;
  drafted: Drafted[];
}

const LOST: Drafted = { code: 'io', message: 'the thread that writes files ended under it' };

/** It ends when nobody asked for so long. */
const IDLE_MS = 5_000;

/** A thread that makes new folders with the drafts of their files, which take the system longest of all that a write does. */
export function createDraftThread() {
  const waiting = new Map<number, (drafted: Drafted[]) => void>();
  let thread: Worker | null = null;
  let lastId = 0;
  const idle = setTimeout(() => {
    if (waiting.size === 0) void thread?.terminate();
  }, IDLE_MS).unref();

  /** Null where the system has no thread left. */
  function start(): Worker | null {
    let started: Worker;
    try {
      started = new Worker(new URL('./drafts.worker.ts', import.meta.url), {
        // Whoever asked closes what was opened, perhaps after the thread ended.
        trackUnmanagedFds: false,
        resourceLimits: { maxYoungGenerationSizeMb: 2 },
      });
    } catch {
      return null;
    }
    started.on('message', ({ id, drafted }: DraftReply) => settle(id, drafted));
    // A thread that fails ends, and whoever waits for it hears that.
    started.on('error', () => {});
    started.on('exit', () => {
      if (thread === started) thread = null;
      for (const id of [...waiting.keys()]) settle(id, []);
    });
    started.unref();
    return started;
  }

  function settle(id: number, drafted: Drafted[]): void {
    waiting.get(id)?.(drafted);
    waiting.delete(id);
    if (waiting.size === 0) thread?.unref();
    idle.refresh();
  }

  /**
   * Drafts of files whose folders are new and have theirs there already; a failure for each that cannot be made. Null
   * where no thread can be had.
   */
  return async (root: string, files: readonly FileWrite[]): Promise<(Draft | FilesError)[] | null> => {
    thread ??= start();
    const asked = thread;
    if (asked === null) return null;
    lastId += 1;
    const id = lastId;
    const drafted = await new Promise<Drafted[]>((resolve) => {
      waiting.set(id, resolve);
      asked.ref();
      asked.postMessage({ id, root, files } satisfies DraftOrder);
    });
    return files.map(({ path, content: _, ...options }, index) => {
      const made = drafted[index] ?? LOST;
      return 'fd' in made ? { ...made, path, options } : new FilesError(made.code, path, made.message);
    });
  };
}

export type DraftThread = ReturnType<typeof createDraftThread>;
