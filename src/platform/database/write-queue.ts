import { setTimeout as pause } from 'node:timers/promises';
import { createPauses } from '../../kit/pauses.ts';

/** With savepoints. */
export interface Transaction<Connection> {
  connection: Connection;
  savepoint(): Promise<void>;
  releaseSavepoint(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

interface Waiting<Connection> {
  work: (connection: Connection) => Promise<unknown>;
  durable: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  attempts: number;
  /** Monotonic. */
  since: number;
}

const again = <Connection>(item: Waiting<Connection>): Waiting<Connection> => ({
  ...item,
  attempts: item.attempts + 1,
});

export interface WriteQueueOptions {
  isPassing?: (error: unknown) => boolean;
  isLocked?: (error: unknown) => boolean;
  lockTimeoutMs?: number;
  /** After this a transaction leaves the remaining writers to the next one; no limit by default. */
  longestMs?: number;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/** Limit of the writers in one commit: a batch must not hold the event loop or a lock for long. */
const LARGEST_BATCH = 64;

/** While another process holds the database's lock. */
const LOCK_PAUSE_MS = 20;

/** For a writer that other transactions push out. */
const MOST_ATTEMPTS = 5;

/**
 * Group commit: concurrent writers run in one transaction and are answered after its commit, so that one durable flush
 * serves them all. If one of them fails, all run again with a savepoint each, so that it undoes only its own changes: a
 * savepoint costs as much as a small write, and few writers fail. A writer whose error `isPassing` (a deadlock with
 * another process) runs again in a later transaction. A transaction is durable if any of its writers asks for that. If
 * another process holds the database's lock, which `isLocked` recognizes from the error of `begin`, the transaction is
 * tried again soon, and each writer waits for at most `lockTimeoutMs`. The event loop runs between slow writers, and
 * before the commit.
 */
export function createWriteQueue<Connection>(
  begin: (durable: boolean) => Promise<Transaction<Connection>>,
  {
    isPassing = () => false,
    isLocked = () => false,
    lockTimeoutMs = 0,
    longestMs = Number.POSITIVE_INFINITY,
  }: WriteQueueOptions = {},
) {
  const waiting: Waiting<Connection>[] = [];
  let running: Promise<void> | null = null;

  async function inTransaction<Result>(
    batch: Waiting<Connection>[],
    work: (transaction: Transaction<Connection>) => Promise<Result>,
  ): Promise<Result> {
    const transaction = await begin(batch.some(({ durable }) => durable));
    try {
      return await work(transaction);
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
  }

  /** At least one; with pauses for the event loop. */
  async function* inTime(batch: readonly Waiting<Connection>[]) {
    const breathe = createPauses();
    const end = performance.now() + longestMs;
    for (const [index, item] of batch.entries()) {
      if (index > 0 && performance.now() > end) break;
      yield item;
      await breathe();
    }
  }

  /** Null, with nothing changed, if one of several failed. */
  const runTogether = (batch: Waiting<Connection>[]): Promise<Outcome[] | null> =>
    inTransaction(batch, async (transaction) => {
      const outcomes: Outcome[] = [];
      for await (const item of inTime(batch)) {
        try {
          outcomes.push({ ok: true, value: await item.work(transaction.connection) });
        } catch (error) {
          await transaction.rollback().catch(() => {});
          return batch.length > 1 ? null : [{ ok: false, error }];
        }
      }
      await transaction.commit();
      return outcomes;
    });

  const runApart = (batch: Waiting<Connection>[]): Promise<Outcome[]> =>
    inTransaction(batch, async (transaction) => {
      const outcomes: Outcome[] = [];
      for await (const item of inTime(batch)) outcomes.push(await runOne(transaction, item));
      await transaction.commit();
      return outcomes;
    });

  async function runOne(transaction: Transaction<Connection>, item: Waiting<Connection>): Promise<Outcome> {
    await transaction.savepoint();
    try {
      const value = await item.work(transaction.connection);
      await transaction.releaseSavepoint();
      return { ok: true, value };
    } catch (error) {
      // A database that has aborted the transaction itself knows no savepoint; the first error is the cause.
      await transaction.rollbackToSavepoint().catch(() => Promise.reject(error));
      return { ok: false, error };
    }
  }

  async function runBatch(batch: Waiting<Connection>[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = (await runTogether(batch)) ?? (await runApart(batch));
    } catch (error) {
      if (isLocked(error)) return waitForLock(batch, error);
      for (const item of batch) item.reject(error);
      return;
    }
    outcomes.forEach((outcome, index) => {
      const item = batch[index];
      if (outcome.ok) item?.resolve(outcome.value);
      else if (item && isPassing(outcome.error) && item.attempts < MOST_ATTEMPTS) waiting.push(again(item));
      else item?.reject(outcome.error);
    });
    waiting.unshift(...batch.slice(outcomes.length));
  }

  async function waitForLock(batch: Waiting<Connection>[], error: unknown): Promise<void> {
    const eldest = performance.now() - lockTimeoutMs;
    for (const item of batch.filter(({ since }) => since < eldest)) item.reject(error);
    waiting.unshift(...batch.filter(({ since }) => since >= eldest));
    await pause(LOCK_PAUSE_MS);
  }

  async function drain(): Promise<void> {
    // One turn of the event loop: writers that become ready in the same turn join the batch.
    await new Promise((resolve) => setImmediate(resolve));
    const breathe = createPauses();
    while (waiting.length > 0) {
      await runBatch(waiting.splice(0, LARGEST_BATCH));
      await breathe();
    }
    running = null;
  }

  return {
    run<Result>(work: (connection: Connection) => Promise<Result>, { durable = true } = {}): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({
          work,
          durable,
          resolve: resolve as (value: unknown) => void,
          reject,
          attempts: 1,
          since: performance.now(),
        });
        running ??= drain();
      });
    },
    async idle(): Promise<void> {
      while (running) await running;
    },
  };
}

export type WriteQueue<Connection> = ReturnType<typeof createWriteQueue<Connection>>;
