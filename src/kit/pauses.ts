import { setImmediate as turn } from 'node:timers/promises';

const SLICE_MS = 10;

/**
 * Makes a function that long work calls between its steps: it yields to other work after every 10 ms. After the pause it
 * rejects with the signal's reason if the signal has aborted.
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
