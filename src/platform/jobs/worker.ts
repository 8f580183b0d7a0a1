import { setImmediate as turn } from 'node:timers/promises';
import { messageOf } from '../../kit/errors.ts';
import type { Part } from '../../kit/lifecycle.ts';
import type { Log } from '../../kit/log.ts';
import { createAttempt } from './attempt.ts';
import type { JobEnded, JobHandlers } from './handlers.ts';
import type { Jobs } from './jobs.ts';

export interface WorkerOptions {
  jobs: Jobs;
  queue: string;
  handlers: JobHandlers;
  /** So many jobs run at the same time. */
  atOnce: number;
  log: Log;
  onEnded?: JobEnded;
  patience?: Partial<Patience>;
}

/** Milliseconds. */
export interface Patience {
  /** How long a killed worker's job is nobody's. */
  leaseMs: number;
  /** How often jobs are looked for while there are none. */
  pollMs: number;
  /** The wait after the first failure of a job; it doubles with each. */
  retryMs: number;
  /** How long running jobs may go on once the worker is to stop. */
  stopMs: number;
}

const PATIENCE: Patience = { leaseMs: 30_000, pollMs: 2_000, retryMs: 5_000, stopMs: 8_000 };
const TIDY_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;
/** While the queue cannot be reached, the wait grows up to so many polls. */
const LONGEST_WAIT = 8;

/** Takes jobs of a queue and does them, some at a time. While the queue cannot be reached it waits for it. */
export function createWorker(options: WorkerOptions): Part {
  const { jobs, queue, handlers, atOnce, log, onEnded = async () => {} } = options;
  const { leaseMs, pollMs, retryMs, stopMs }: Patience = { ...PATIENCE, ...options.patience };
  const kinds = Object.keys(handlers);
  const stopping = new AbortController();
  const overdue = new AbortController();
  const resting = new Set<() => void>();
  const attempt = createAttempt({ jobs, handlers, log, onEnded, leaseMs, retryMs, overdue: overdue.signal });
  let running: Promise<unknown> = Promise.resolve();
  let tidying: Promise<unknown> = Promise.resolve();

  /** Calls that wait until somebody has looked for jobs, and done what they found. */
  const calls: (() => void)[] = [];
  const wake = () => {
    for (const end of resting) end();
  };
  const called = (): Promise<void> =>
    new Promise((answer) => {
      if (stopping.signal.aborted) return answer();
      calls.push(answer);
      wake();
    });

  /** Ends after the time, with a call, or when the worker is to stop. */
  function rest(milliseconds: number): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      resting.add(end);
    });
  }

  /** Does a job if there is one, and answers the call that it may have been for. */
  async function takeJob(): Promise<boolean> {
    const answer = calls.shift();
    try {
      const job = await jobs.claim(queue, kinds, leaseMs);
      if (job) await attempt(job);
      return job !== null;
    } finally {
      answer?.();
    }
  }

  async function workThrough(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        const found = await takeJob();
        if (!found && calls.length === 0) await rest(pollMs);
        failures = 0;
      } catch (error) {
        if (failures === 0) log.warn(`the queue ${queue} cannot be reached: ${messageOf(error)}`);
        failures = Math.min(failures + 1, LONGEST_WAIT);
        await rest(pollMs * failures);
      }
      // Whoever else has something to do in this process comes first.
      await turn();
    }
  }

  const tidy = () => {
    tidying = jobs
      .forget(KEPT_MS)
      .catch((error: unknown) => log.warn(`old jobs could not be removed: ${messageOf(error)}`));
  };
  const tidies = setInterval(tidy, TIDY_EVERY_MS).unref();
  let stopListening = async () => {};

  return {
    name: `worker of ${queue}`,
    async start() {
      tidy();
      stopListening = await jobs.listen(queue, called, { atOnce, leaseMs });
      running = Promise.all(Array.from({ length: atOnce }, workThrough));
    },
    async stop() {
      clearInterval(tidies);
      stopping.abort();
      wake();
      for (const answer of calls.splice(0)) answer();
      const late = setTimeout(() => overdue.abort(), stopMs);
      await Promise.all([running, tidying]).finally(() => clearTimeout(late));
      await stopListening();
    },
  };
}
