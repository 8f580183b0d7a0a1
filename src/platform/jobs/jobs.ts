export interface JobScope {
  tenantId: string;
  projectId: string;
}

/** An action of a kind, for one subject of a project. There is one job for each such key. */
export interface JobKey extends JobScope {
  queue: string;
  kind: string;
  subject: string;
}

export type JobState = 'waiting' | 'running' | 'done' | 'failed';

export interface Job extends JobKey {
  state: JobState;
  attempts: number;
  /** Of the last attempt; null if it did not fail. */
  error: string | null;
  requestedAtMs: number;
  finishedAtMs: number | null;
}

/** Until the lease ends. */
export interface ClaimedJob extends JobKey {
  token: string;
  /** 1 for the first attempt. Attempts of workers that were killed count too. */
  attempt: number;
}

export type JobCounts = Readonly<Record<JobState, number>>;

/** For a tenant's queue. Milliseconds since the epoch, `Infinity` without an end, null if not restricted. */
export interface JobHold {
  pausedUntilMs: number | null;
  slowedUntilMs: number | null;
  /** While the queue is slowed. */
  atMost: number;
}

export interface ListenOptions {
  atOnce: number;
  /** Milliseconds without a sign of life until a process counts as dead. */
  leaseMs: number;
}

export interface AddOptions {
  /** Milliseconds since the epoch; immediately by default. */
  dueAtMs?: number;
}

/**
 * Work that outlives its process. A job runs at least once: a killed worker loses its claim when the lease ends, and the
 * job runs again, so running twice must change nothing twice.
 */
export interface Jobs {
  /**
   * Requests that a run of each job begins after this call, and not before the due time. A waiting job stays one job and
   * keeps the earlier time; a running one will run once more, since it may have read older data; an ended one starts anew.
   * The request survives any crash once the call has resolved. A failed call may have requested some of the jobs; repeating
   * it is safe.
   */
  add(keys: readonly JobKey[], options?: AddOptions): Promise<void>;
  /**
   * Returns how many were cancelled. Waiting jobs are removed. Running ones lose their claim, so `extend` and `done` return
   * false and the worker aborts the handler's signal with its next `extend`; this call does not wait for that, and a job
   * added again may begin before. Ended jobs stay. No crash brings the jobs back once the call has resolved. A concurrent
   * `add` comes before (and is cancelled) or after (and stays); a concurrent `claim` gets nothing or a job whose claim has
   * ended.
   */
  cancel(keys: readonly JobKey[]): Promise<number>;
  /** In the order of their kinds. */
  list(scope: JobScope, queue: string, subject: string): Promise<Job[]>;
  counts(scope: JobScope, queue: string): Promise<JobCounts>;
  /**
   * A due job of one of the kinds that is not held back; null if there is none. Tenants are served round robin; one
   * tenant's jobs come in the order in which they became due.
   */
  claim(queue: string, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | null>;
  /** False if the claim is no longer valid. */
  extend(job: ClaimedJob, leaseMs: number): Promise<boolean>;
  /** False, with nothing changed, if the claim is no longer valid. */
  done(job: ClaimedJob): Promise<boolean>;
  /** With null the job has failed for good. */
  fail(job: ClaimedJob, error: string, retryInMs: number | null): Promise<boolean>;
  /** As if it had not been claimed. */
  release(job: ClaimedJob): Promise<boolean>;
  /** Members left out stay as they are. Running jobs continue. */
  hold(tenantId: string, queue: string, change: Partial<JobHold>): Promise<void>;
  /** Expired restrictions are null. */
  held(tenantId: string, queue: string): Promise<JobHold>;
  forget(olderThanMs: number): Promise<void>;
  /**
   * Calls back when jobs may be due, so that workers need not poll all the time. A call may be lost, and may find nothing
   * to do. Among processes only one is called; if it dies before the listener's promise resolves, another one is. Resolves
   * to the function that stops listening.
   */
  listen(queue: string, listener: () => Promise<void>, options: ListenOptions): Promise<() => Promise<void>>;
  /** All resources besides the database. */
  close(): Promise<void>;
}
