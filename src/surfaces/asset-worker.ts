import type { Clock } from '../kit/clock.ts';
import type { Part } from '../kit/lifecycle.ts';
import type { Log } from '../kit/log.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createWorker } from '../platform/jobs/worker.ts';
import { ASSET_QUEUE, type AssetJobsOptions, createAssetJobs } from '../world/assets/assets.jobs.ts';
import { createProcessedEvents } from '../world/assets/processed.events.ts';

export interface AssetWorkerOptions extends AssetJobsOptions {
  jobs: Jobs;
  bus: Bus;
  clock: Clock;
  log: Log;
  atOnce: number;
}

/** Does the jobs of the asset queue, in a core or in a process of its own. */
export const createAssetWorker = ({ jobs, bus, clock, log, atOnce, ...options }: AssetWorkerOptions): Part =>
  createWorker({
    jobs,
    queue: ASSET_QUEUE,
    handlers: createAssetJobs(options),
    atOnce,
    log: log.child('worker'),
    onEnded: createProcessedEvents({ projects: options.projects, bus, clock, log: log.child('worker') }),
  });
