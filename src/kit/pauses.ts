import { setImmediate as turn } from 'node:timers/promises';

const SLICE_MS = 10;

/**
 * Long work calls the result between its steps: it yields to other work after every 10 ms, then rejects if the signal has
 * aborted.
 */
export function createPauses(signal?: AbortSignal): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return;
    return turn().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}
