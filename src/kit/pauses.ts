import { ownTurn } from './own-turn.ts';

const SLICE_MS = 10;

/**
 * Long work calls the result between its steps: it yields to other work after every 10 ms, then rejects if the signal has
 * aborted. Works that run at the same time go on in turns of their own, or fifty of them would hold the event loop for
 * half a second.
 */
export function createPauses(signal?: AbortSignal): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return;
    return ownTurn().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}
