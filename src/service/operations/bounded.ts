/**
 * Limits how long a question may take. Callers that ask while one is under way share its answer, so a dependency that
 * hangs collects one question a deadline; the next one asks anew, so that its return is seen.
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
