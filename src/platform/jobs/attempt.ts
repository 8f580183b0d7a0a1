import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { type JobEnded, type JobHandlers, JobRefused } from './handlers.ts';
import type { ClaimedJob, Jobs } from './jobs.ts';

const MOST_ATTEMPTS = 5;

export interface AttemptOptions {
  jobs: Jobs;
  handlers: JobHandlers;
  log: Log;
  onEnded: JobEnded;
  leaseMs: number;
  retryMs: number;
  /** Aborts when the worker has no time left. */
  overdue: AbortSignal;
}

/** Records the outcome, unless the claim was lost meanwhile. */
export function createAttempt(options: AttemptOptions): (job: ClaimedJob) => Promise<void> {
  const { jobs, handlers, log, onEnded, leaseMs, retryMs, overdue } = options;

  async function succeeded(job: ClaimedJob): Promise<void> {
    if (await jobs.done(job)) await onEnded(job, 'done');
  }

  async function failed(job: ClaimedJob, error: unknown): Promise<void> {
    const isFinal = error instanceof JobRefused || job.attempt >= MOST_ATTEMPTS;
    const name = `${job.kind} of ${job.subject}`;
    log.warn(`${name} failed${isFinal ? '' : ', and is tried again'}: ${messageOf(error)}`);
    const retryInMs = isFinal ? null : retryMs * 2 ** (job.attempt - 1);
    const isMine = await jobs.fail(job, messageOf(error), retryInMs);
    if (isMine && isFinal) await onEnded(job, 'failed');
  }

  async function handle(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    if (job.attempt > MOST_ATTEMPTS) throw new JobRefused('Its worker ended before it did, each time');
    await handlers[job.kind]?.(job, signal);
  }

  return async (job) => {
    const lost = new AbortController();
    const beat = setInterval(() => {
      // After a failure the next beat may succeed before the lease ends.
      void jobs.extend(job, leaseMs).then(
        (isMine) => isMine || lost.abort(),
        () => {},
      );
    }, leaseMs / 3);
    const ended = handle(job, AbortSignal.any([lost.signal, overdue]));
    const problem = await ended.then(
      () => null,
      (error: unknown) => ({ error }),
    );
    clearInterval(beat);
    if (problem === null) await succeeded(job);
    // The job was cancelled or belongs to another worker: the outcome of this attempt does not matter.
    else if (lost.signal.aborted) return;
    else if (overdue.aborted) await jobs.release(job);
    else await failed(job, problem.error);
  };
}
