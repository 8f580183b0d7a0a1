export interface JobScope {
  tenantId: string;
  projectId: string;
}

/** One piece of work: an action of a kind, for one subject of a project. There is one job for each such key. */
export interface JobKey extends JobScope {
  queue: string;
  kind: string;
  subject: string;
}

export type JobState = 'waiting' | 'running' | 'done' | 'failed';

export interface Job extends JobKey {
  state: JobState;
  attempts: number;
  /** The error of the last attempt; null if it did not fail. */
  error: string | null;
  requestedAtMs: number;
  finishedAtMs: number | null;
}

/** A job that one worker holds until its lease ends. */
export interface ClaimedJob extends JobKey {
  /** Tells this claim from every other claim of the job. */
  token: string;
  /** 1 for the first attempt. Attempts of workers that were killed count too. */
  attempt: number;
}

export type JobCounts = Readonly<Record<JobState, number>>;

/**
 * Restrictions on a tenant's queue. Times are milliseconds since the epoch, `Infinity` without an end, null if not
 * restricted.
 */
export interface JobHold {
  pausedUntilMs: number | null;
  slowedUntilMs: number | null;
  /** Jobs that run at once while the queue is slowed. */
  atMost: number;
}

export interface ListenOptions {
  /** Calls to the listener that may run at the same time. */
  atOnce: number;
  /** Milliseconds without a sign of life after which a process counts as dead. */
  leaseMs: number;
}

export interface AddOptions {
  /** The earliest start, in milliseconds since the epoch; immediately by default. */
  dueAtMs?: number;
}

/**
 * Work that outlives its process. A job runs at least once: a killed worker loses its claim when the lease ends, and the
 * job runs again, so running twice must change nothing twice.
 */
export interface Jobs {
  /**
   * Requests that a run of each job begins after this call, and not before the due time. A waiting job stays
   * a single job and keeps the earlier of the two times; a running one will run once more, at the new time,
   * since it may have read data older than this call; one that has ended starts anew.
   *
   * Once the call has resolved, the request survives any crash. A call that fails or is interrupted may have
   * requested some of the jobs; repeating it is safe.
   */
  add(keys: readonly JobKey[], options?: AddOptions): Promise<void>;
  /**
   * Cancels jobs and returns the number cancelled: waiting ones are removed, and running ones lose their
   * claim, so `extend`, `done` and the like return false and they do not run again. Jobs that have ended
   * stay. The worker aborts the handler's signal when it next extends the lease. This call does not wait for
   * that: the handler may have changed things by then, and a job that is added again may begin before it
   * ends.
   *
   * Once the call has resolved, no crash brings the jobs back. For each job, a concurrent `add` comes either
   * before (and is cancelled) or after (and stays), and a concurrent `claim` gets either nothing or a job
   * whose claim has ended.
   */
  cancel(keys: readonly JobKey[]): Promise<number>;
  /** The jobs of a subject, in the order of their kinds. */
  list(scope: JobScope, queue: string, subject: string): Promise<Job[]>;
  counts(scope: JobScope, queue: string): Promise<JobCounts>;
  /**
   * Returns a due job of one of the kinds that is not held back; null if there is none. Tenants are served round robin,
   * so that one with many jobs does not delay the others; one tenant's jobs are claimed in the order in which they became
   * due.
   */
  claim(queue: string, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | null>;
  /** Prolongs the lease. Returns false if the claim is no longer valid. */
  extend(job: ClaimedJob, leaseMs: number): Promise<boolean>;
  /** Marks the job as done. Returns false, and changes nothing, if the claim is no longer valid. */
  done(job: ClaimedJob): Promise<boolean>;
  /** Ends the attempt; the job waits for `retryInMs`, or has failed for good if that is null. */
  fail(job: ClaimedJob, error: string, retryInMs: number | null): Promise<boolean>;
  /** Gives the job back as if it had not been claimed. */
  release(job: ClaimedJob): Promise<boolean>;
  /** Holds a tenant's queue back; members left out stay as they are. Running jobs continue. */
  hold(tenantId: string, queue: string, change: Partial<JobHold>): Promise<void>;
  /** The current restrictions; expired ones are null. */
  held(tenantId: string, queue: string): Promise<JobHold>;
  /** Removes jobs that ended longer ago than this. */
  forget(olderThanMs: number): Promise<void>;
  /**
   * Calls back when jobs of the queue may be due, so that workers need not poll all the time. A call may be lost, and may
   * find nothing to do. If processes share the calls, one of them is called, and the call ends when the listener's
   * promise resolves: if that process dies before, another one is called. Resolves to the function that stops listening.
   */
  listen(queue: string, listener: () => Promise<void>, options: ListenOptions): Promise<() => Promise<void>>;
  /** Releases its resources besides the database. */
  close(): Promise<void>;
}
