const RENEWAL = 'canonry-renewal';

let running: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

/** Tells when the session cannot be renewed any more. */
export function onSessionEnd(listener: () => void): void {
  listeners.add(listener);
}

/**
 * Renews the cookies of the session: once for all calls that wait, and in one tab at a time. False if the user has to
 * sign in. Rejects if the service cannot be reached.
 */
export function renewSession(): Promise<boolean> {
  running ??= inOneTab(renew).finally(() => {
    running = undefined;
  });
  return running;
}

async function renew(): Promise<boolean> {
  const response = await fetch('/api/auth/refresh', { method: 'POST' });
  if (response.ok) return true;
  if (response.status >= 500 || response.status === 429)
    throw new TypeError('The session could not be renewed yet');
  for (const listener of listeners) listener();
  return false;
}

/** Browsers have Web Locks on https and on loopback alone. Without them, two tabs get the same successor of a token. */
const inOneTab = (work: () => Promise<boolean>): Promise<boolean> =>
  navigator.locks ? navigator.locks.request(RENEWAL, work) : work();
