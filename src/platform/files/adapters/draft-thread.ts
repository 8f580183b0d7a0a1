import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../kit/start-thread.ts';
import { FilesError, type FilesErrorCode, type FileWrite } from '../files.ts';
import type { Draft } from './local-write.ts';

export interface DraftOrder {
  id: number;
  root: string;
  files: readonly FileWrite[];
}

/** The handle belongs to the whole process. */
export type Drafted = Pick<Draft, 'temporary' | 'target' | 'fd'> | { code: FilesErrorCode; message: string };

interface DraftReply {
  id: number;
  drafted: Drafted[];
}

const LOST: Drafted = { code: 'io', message: 'the thread that writes files ended under it' };

const IDLE_MS = 5_000;

interface Running {
  worker: Worker;
  waiting: Map<number, (drafted: Drafted[]) => void>;
}

function start(onExit: (running: Running) => void): Running | null {
  const worker = startThread(new URL('./drafts.worker.ts', import.meta.url), {
    // The caller closes the handles, perhaps after the thread has ended.
    trackUnmanagedFds: false,
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  if (worker === null) return null;
  const running: Running = { worker, waiting: new Map() };
  worker.on('message', ({ id, drafted }: DraftReply) => running.waiting.get(id)?.(drafted));
  worker.on('exit', () => {
    for (const settle of running.waiting.values()) settle([]);
    onExit(running);
  });
  return running;
}

/** A thread that creates new folders with their drafts, the slowest system calls of a write. */
export function createDraftThread() {
  let thread: Running | null = null;
  let lastId = 0;
  const forget = (running: Running) => {
    if (thread === running) thread = null;
  };
  const idle = setTimeout(() => {
    if (thread === null || thread.waiting.size > 0) return;
    void thread.worker.terminate();
    forget(thread);
  }, IDLE_MS).unref();

  async function ask({ worker, waiting }: Running, order: DraftOrder): Promise<Drafted[]> {
    const answer = Promise.withResolvers<Drafted[]>();
    waiting.set(order.id, answer.resolve);
    worker.ref();
    worker.postMessage(order);
    const drafted = await answer.promise;
    waiting.delete(order.id);
    if (waiting.size === 0) worker.unref();
    idle.refresh();
    return drafted;
  }

  /** For new folders whose parents exist; a FilesError for each that fails. Null if no thread can be started. */
  return async (root: string, files: readonly FileWrite[]): Promise<(Draft | FilesError)[] | null> => {
    thread ??= start(forget);
    if (thread === null) return null;
    lastId += 1;
    const drafted = await ask(thread, { id: lastId, root, files });
    return files.map(({ path, content: _, ...options }, index) => {
      const made = drafted[index] ?? LOST;
      return 'fd' in made ? { ...made, path, options } : new FilesError(made.code, path, made.message);
    });
  };
}

export type DraftThread = ReturnType<typeof createDraftThread>;
