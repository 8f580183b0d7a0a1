import type { JobKey } from './jobs.ts';

/**
 * Does a job. It may run more than once for one request and must change nothing twice. When it throws, it is tried
 * again later, unless it throws `JobRefused`. It may end early when the signal says so: the job was cancelled, is another
 * worker's by now, or the process is about to end.
 */
export type JobHandler = (job: JobKey, signal: AbortSignal) => Promise<void>;

/** How to do each kind of job. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** What trying again would not change. */
export class JobRefused extends Error {}

export type JobOutcome = 'done' | 'failed';

/** Called once a job ended, for good or ill; must not throw. */
export type JobEnded = (job: JobKey, outcome: JobOutcome) => Promise<void>;
