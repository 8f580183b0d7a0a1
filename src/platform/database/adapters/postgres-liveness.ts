import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from '../database.ts';

export interface LivenessOptions {
  /** Asks the server anything, on a connection of its own; rejects in bounded time. */
  probe(): Promise<unknown>;
  /** A query that takes longer is a reason to ask whether the server is there (milliseconds). */
  patienceMs: number;
  /** Between two questions to a server that does not answer (milliseconds). */
  pauseMs: number;
}

interface Pending {
  since: number;
  reject(error: DatabaseError): void;
}

export type Liveness = ReturnType<typeof createLiveness>;

/**
 * Tells a server that is frozen, or behind a network that is, from one that is busy: the limits of statements are the
 * server's to keep, and one that is frozen keeps none. What waits for it is given up, and what comes is refused at once,
 * until it answers again.
 */
export function createLiveness({ probe, patienceMs, pauseMs }: LivenessOptions) {
  /** The eldest first. */
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
      const due = Math.max(eldestSince(), askedAt) + patienceMs - performance.now();
      const wait = isFrozen ? pauseMs : Math.min(patienceMs, Math.max(due, pauseMs));
      await pause(wait, undefined, options);
      const now = performance.now();
      if (!isFrozen && now - Math.max(eldestSince(), askedAt) < patienceMs) continue;
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

    /** What a query answers, or a rejection once the server is known not to answer. Its connection must not be used again then. */
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

    /** Whether the server answers at this moment on a connection of its own. */
    answers: (): Promise<boolean> =>
      probe().then(
        () => true,
        () => false,
      ),

    close: (): void => closing.abort(),
  };
}

const gone = () => new DatabaseError('unavailable', 'The database does not answer');
