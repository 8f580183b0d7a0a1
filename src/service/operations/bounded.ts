/**
 * Limits the time of `ask`. Callers during a call share its result, so a dependency that hangs collects one call per deadline; the
 * next caller makes a new call, so that a recovery is noticed.
 */
export function bounded<T>(ask: () => Promise<T>, timeoutMs: number): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= withDeadline(ask(), timeoutMs).finally(() => {
      running = undefined;
    });
    return running;
  };
}

function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
