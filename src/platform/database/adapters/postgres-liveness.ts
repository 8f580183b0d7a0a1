import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from '../database.ts';

export interface LivenessOptions {
  /** Sends the server a trivial query on a connection of its own; rejects in bounded time. */
  probe(): Promise<unknown>;
  /** Milliseconds after which a running query is a reason to probe the server. */
  probeAfterMs: number;
  /** Milliseconds between two probes of a server that does not answer. */
  pauseMs: number;
}

interface Pending {
  since: number;
  reject(error: DatabaseError): void;
}

export type Liveness = ReturnType<typeof createLiveness>;

/**
 * Distinguishes a frozen or unreachable server from a busy one: statement timeouts are enforced by the
 * server, and a frozen one does not enforce them. Pending queries are given up, and new ones refused
 * immediately, until the server answers again.
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

    /**
     * Settles as the query does, but rejects once the server is known not to answer. After that its
     * connection must not be used again.
     */
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

    /** True if the server answers now on a connection of its own. */
    answers: (): Promise<boolean> =>
      probe().then(
        () => true,
        () => false,
      ),

    close: (): void => closing.abort(),
  };
}

const gone = () => new DatabaseError('unavailable', 'The database does not answer');
