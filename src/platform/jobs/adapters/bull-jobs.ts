import type { Clock } from '../../../kit/clock.ts';
import type { Jobs } from '../jobs.ts';
import { createCalls } from './bull-calls.ts';

export interface BullJobsOptions {
  jobs: Jobs;
  /** `redis://` or `rediss://` */
  url: string;
  /** So that services can share one Redis. */
  prefix: string;
  clock: Clock;
}

/**
 * Jobs of several processes: database rows hold them, and BullMQ calls a worker in some process for each job when it
 * becomes due, and another one if that process dies. Redis holds no jobs, so none is lost with it: while it is away,
 * workers find jobs by polling.
 */
export async function createBullJobs({ jobs, url, prefix, clock }: BullJobsOptions): Promise<Jobs> {
  const calls = await createCalls({ url, prefix });

  return {
    ...jobs,
    async add(keys, options = {}) {
      await jobs.add(keys, options);
      const { dueAtMs = 0 } = options;
      for (const queue of new Set(keys.map((key) => key.queue)))
        calls.send(queue, {
          count: keys.filter((key) => key.queue === queue).length,
          inMs: dueAtMs - clock.now(),
        });
    },
    async fail(job, error, retryInMs) {
      const isMine = await jobs.fail(job, error, retryInMs);
      if (isMine && retryInMs !== null) calls.send(job.queue, { count: 1, inMs: retryInMs });
      return isMine;
    },
    async release(job) {
      const isMine = await jobs.release(job);
      if (isMine) calls.send(job.queue, { count: 1 });
      return isMine;
    },
    async hold(tenantId, queue, change) {
      await jobs.hold(tenantId, queue, change);
      const { pausedUntilMs, slowedUntilMs } = await jobs.held(tenantId, queue);
      for (const endMs of [clock.now(), pausedUntilMs, slowedUntilMs])
        if (endMs !== null && Number.isFinite(endMs))
          calls.send(queue, { count: Number.POSITIVE_INFINITY, inMs: endMs - clock.now() });
    },
    listen: calls.listen,
    async close() {
      await calls.close();
      await jobs.close();
    },
  };
}
