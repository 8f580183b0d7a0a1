import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Null where the system has no thread left. A thread that fails ends: whoever waits for it hears that by its `exit`. */
export function startThread(file: URL, options: WorkerOptions): Worker | null {
  try {
    return new Worker(file, options).on('error', () => {});
  } catch {
    return null;
  }
}
