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
  atOnce: number;
  log: Log;
  onEnded?: JobEnded;
  timings?: Partial<WorkerTimings>;
}

/** Milliseconds. */
export interface WorkerTimings {
  /** After it, a killed worker's job is free. */
  leaseMs: number;
  pollMs: number;
  /** It doubles with each further failure. */
  retryMs: number;
  /** For running jobs when the worker stops. */
  stopMs: number;
}

const TIMINGS: WorkerTimings = { leaseMs: 30_000, pollMs: 2_000, retryMs: 5_000, stopMs: 8_000 };
const TIDY_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;
/** In polls, while the queue cannot be reached. */
const LONGEST_WAIT = 8;

/** Works on a few jobs at a time. While the queue cannot be reached it keeps trying. */
export function createWorker(options: WorkerOptions): Part {
  const { jobs, queue, handlers, atOnce, log, onEnded = async () => {} } = options;
  const { leaseMs, pollMs, retryMs, stopMs }: WorkerTimings = { ...TIMINGS, ...options.timings };
  const kinds = Object.keys(handlers);
  const stopping = new AbortController();
  const overdue = new AbortController();
  const resting = new Set<() => void>();
  const attempt = createAttempt({ jobs, handlers, log, onEnded, leaseMs, retryMs, overdue: overdue.signal });
  let running: Promise<unknown> = Promise.resolve();
  let tidying: Promise<unknown> = Promise.resolve();

  /** Answered once a look for jobs, and work on the job found, is over. */
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

  /** Resolves after the time, on a call, or when the worker stops. */
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

  /** Then answers one waiting call. */
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
      // All other work of this process comes first.
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
