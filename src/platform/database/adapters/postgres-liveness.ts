import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from '../database.ts';

export interface LivenessOptions {
  /** On a connection of its own; rejects in bounded time. */
  probe(): Promise<unknown>;
  /** A query that runs longer is a reason to probe the server. */
  probeAfterMs: number;
  pauseMs: number;
}

interface Pending {
  since: number;
  reject(error: DatabaseError): void;
}

export type Liveness = ReturnType<typeof createLiveness>;

/**
 * Distinguishes a frozen server from a busy one: a frozen one does not enforce statement timeouts. Pending queries are
 * given up, and new ones refused at once, until it answers again.
 */
export function createLiveness({ probe, probeAfterMs, pauseMs }: LivenessOptions) {
  /** Oldest first. */
  const pending = new Set<Pending>();
  const closing = new AbortController();
  let isFrozen = false;
  let isWatching = false;

  const eldestSince = (): number => pending.values().next().value?.since ?? Number.POSITIVE_INFINITY;

  async function ask(): Promise<void> {
    try {
      await probe();
      isFrozen = false;
    } catch {
      isFrozen = true;
      for (const { reject } of pending) reject(gone());
    }
  }

  async function watchOver(): Promise<void> {
    const options = { ref: false, signal: closing.signal };
    let askedAt = 0;
    while (pending.size > 0 || isFrozen) {
      const due = Math.max(eldestSince(), askedAt) + probeAfterMs - performance.now();
      const wait = isFrozen ? pauseMs : Math.min(probeAfterMs, Math.max(due, pauseMs));
      await pause(wait, undefined, options);
      const now = performance.now();
      if (!isFrozen && now - Math.max(eldestSince(), askedAt) < probeAfterMs) continue;
      await ask();
      askedAt = performance.now();
    }
  }

  function startWatching(): void {
    if (isWatching) return;
    isWatching = true;
    watchOver()
      .catch(() => {})
      .finally(() => {
        isWatching = false;
      });
  }

  /** Throws while the server is known not to answer. */
  function requireAlive(): void {
    if (isFrozen) throw gone();
  }

  return {
    requireAlive,

    /** Rejects once the server is known not to answer; the connection must not be used again after that. */
    watch<Result>(query: () => Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        requireAlive();
        const item: Pending = { since: performance.now(), reject };
        pending.add(item);
        startWatching();
        query()
          .finally(() => pending.delete(item))
          .then(resolve, reject);
      });
    },

    /** On a connection of its own. */
    answers: (): Promise<boolean> =>
      probe().then(
        () => true,
        () => false,
      ),

    close: (): void => closing.abort(),
  };
}

const gone = () => new DatabaseError('unavailable', 'The database does not answer');
