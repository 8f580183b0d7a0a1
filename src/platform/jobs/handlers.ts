import type { JobKey } from './jobs.ts';

/**
 * Works on a job. It may run more than once for one request and must change nothing twice. If it throws, the job is tried
 * again later, unless the error is a `JobRefused`. It may end early when the signal aborts: then the job was cancelled,
 * belongs to another worker, or the process is about to end.
 */
export type JobHandler = (job: JobKey, signal: AbortSignal) => Promise<void>;

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export class JobRefused extends Error {}

export type JobOutcome = 'done' | 'failed';

/** Successfully or not; must not throw. */
export type JobEnded = (job: JobKey, outcome: JobOutcome) => Promise<void>;
