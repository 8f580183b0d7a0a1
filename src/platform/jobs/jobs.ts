/** Whose job it is. */
export interface JobScope {
  tenantId: string;
  projectId: string;
}

/** What is to be done: something of a kind, for one subject of a project. There is one job for each such key. */
export interface JobKey extends JobScope {
  queue: string;
  kind: string;
  subject: string;
}

export type JobState = 'waiting' | 'running' | 'done' | 'failed';

export interface Job extends JobKey {
  state: JobState;
  attempts: number;
  /** Why the last attempt failed; null when it did not. */
  error: string | null;
  requestedAtMs: number;
  finishedAtMs: number | null;
}

/** A job that one worker has until its lease ends. */
export interface ClaimedJob extends JobKey {
  /** Tells this claim from every other of the job. */
  token: string;
  /** 1 for the first. Those of workers that were killed count. */
  attempt: number;
}

export type JobCounts = Readonly<Record<JobState, number>>;

/** What holds a tenant's queue back. Times are milliseconds since the epoch, `Infinity` for no end, null for not at all. */
export interface JobHold {
  pausedUntilMs: number | null;
  slowedUntilMs: number | null;
  /** So many run at once while slowed. */
  atMost: number;
}

export interface ListenOptions {
  /** So many calls at the same time. */
  atOnce: number;
  /** Whom no sign of life has come from for so long is taken for dead. */
  leaseMs: number;
}

export interface AddOptions {
  /** When the jobs may begin, in milliseconds since the epoch; at once when left out. */
  dueAtMs?: number;
}

/**
 * Work that outlives its process. A job runs at least once: a worker that is killed loses its claim when the lease ends
 * and the job runs again, so running twice must change nothing twice.
 */
export interface Jobs {
  /**
   * Asks that a run of each job begins after this call, and not before the due time. One that waits already stays one
   * job and keeps the earlier of the two times; one that runs will run once more, at the new time, since what it reads
   * may be older than this call; one that ended begins anew.
   *
   * When the call has resolved, the request outlives any crash. A call that fails or is cut short may have asked for
   * some of the jobs; asking again is safe.
   */
  add(keys: readonly JobKey[], options?: AddOptions): Promise<void>;
  /**
   * Takes back what was asked for so far, and says of how many jobs: those that waited are gone, and those that ran have
   * lost their claim, so `extend`, `done` and the like answer false and they do not run again. Jobs that ended stay.
   * A worker tells the handler by its signal when it next extends the lease. This call does not wait for that: a handler
   * may have changed things by then, and a job that is added again may begin before it ends.
   *
   * When the call has resolved, a crash brings nothing back. Of an `add` at the same time, either all comes before
   * (and is cancelled) or all comes after (and stays), for each job; of a `claim`, likewise: either it gets nothing or
   * a job whose claim has ended.
   */
  cancel(keys: readonly JobKey[]): Promise<number>;
  /** The jobs of a subject, in the order of their kinds. */
  list(scope: JobScope, queue: string, subject: string): Promise<Job[]>;
  counts(scope: JobScope, queue: string): Promise<JobCounts>;
  /**
   * A due job of one of the kinds that nothing holds back; null when there is none. Tenants take turns, so that one with
   * many jobs does not keep another from its own; a tenant's are claimed in the order in which they became due.
   */
  claim(queue: string, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | null>;
  /** Prolongs the lease. False for a claim that is not good any more: the job is somebody else's now. */
  extend(job: ClaimedJob, leaseMs: number): Promise<boolean>;
  /** Ends the job well. False as for `extend`, and then nothing is changed. */
  done(job: ClaimedJob): Promise<boolean>;
  /** Ends the attempt; the job waits for `retryInMs`, or has failed for good with null. */
  fail(job: ClaimedJob, error: string, retryInMs: number | null): Promise<boolean>;
  /** Gives the job back as if it had not been claimed. */
  release(job: ClaimedJob): Promise<boolean>;
  /** Holds a tenant's queue back; what is left out stays. Jobs that run go on. */
  hold(tenantId: string, queue: string, change: Partial<JobHold>): Promise<void>;
  /** What holds it back now; what has ended reads as null. */
  held(tenantId: string, queue: string): Promise<JobHold>;
  /** Forgets jobs that ended longer ago than this. */
  forget(olderThanMs: number): Promise<void>;
  /**
   * Calls back when jobs of the queue may be due, so that nobody has to look for them all the time. A call may be lost
   * and come for nothing. Where processes share calls, one of them is called, and it is over when the listener's promise
   * resolves: if the process ends before, another one is called. Resolves to the function that ends it.
   */
  listen(queue: string, listener: () => Promise<void>, options: ListenOptions): Promise<() => Promise<void>>;
  /** Lets go of what it holds beside the database. */
  close(): Promise<void>;
}
