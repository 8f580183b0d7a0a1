import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Null if the system cannot start another. A thread that fails later emits `exit`. */
export function startThread(file: URL, options: WorkerOptions): Worker | null {
  try {
    return new Worker(file, options).on('error', () => {});
  } catch {
    return null;
  }
}
