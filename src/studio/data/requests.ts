/** The longest time for which a sign-out waits for requests that are under way. */
const PATIENCE_MS = 2000;

const running = new Set<Promise<unknown>>();
let hold: Promise<void> | null = null;

/** Makes a request of the session, after whatever holds them. */
export async function inSession<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  if (hold) await hold;
  const answer = ask();
  running.add(answer);
  return answer.finally(() => running.delete(answer));
}

/**
 * Ends the session when no request of it is under way: one that comes after its end would be refused. Those that are made
 * meanwhile fail with it, or are made if it goes on.
 */
export async function endSession(end: () => Promise<unknown>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined);
  hold = promise;
  const patience = new Promise((over) => setTimeout(over, PATIENCE_MS));
  await Promise.race([Promise.allSettled([...running]), patience]);
  try {
    await end();
    reject(new DOMException('The session has ended', 'AbortError'));
  } catch (error) {
    resolve();
    throw error;
  } finally {
    hold = null;
  }
}
