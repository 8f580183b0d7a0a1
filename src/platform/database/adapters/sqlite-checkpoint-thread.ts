import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../kit/start-thread.ts';

const IDLE_MS = 5_000;

/** Moves pages from the log into the file on a connection of its own; started on demand. */
export function createCheckpointThread(path: string) {
  let thread: Worker | null = null;

  function start(): Worker | null {
    const started = startThread(new URL('./sqlite-checkpoint.worker.ts', import.meta.url), {
      workerData: path,
      // It creates hardly any objects.
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    });
    started?.on('exit', () => {
      if (thread === started) thread = null;
    });
    started?.unref();
    return started;
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = null;
    if (ending === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    ending.once('exit', () => resolve());
    ending.ref();
    ending.postMessage('end');
    await promise;
  }

  let ended: Promise<unknown> = Promise.resolve();
  const endIdle = () => {
    ended = end();
  };
  const idle = setTimeout(endIdle, IDLE_MS).unref();

  return {
    /** Resolves when it is done or has failed; the size of the log shows which. Only one may run at a time. */
    async checkpoint(): Promise<void> {
      thread ??= start();
      const used = thread;
      if (used === null) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = () => resolve();
      used.once('message', done).once('exit', done);
      used.ref();
      used.postMessage('checkpoint');
      await promise;
      used.off('message', done).off('exit', done);
      used.unref();
      idle.refresh();
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      await Promise.all([ended, end()]);
    },
  };
}
