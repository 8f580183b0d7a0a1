import { setImmediate as turn } from 'node:timers/promises';

const SLICE_MS = 10;

/**
 * A pause for long work, called between its parts: others have their turn when this one has lasted long enough. After
 * a turn it rejects with the signal's reason when the work is to stop.
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
