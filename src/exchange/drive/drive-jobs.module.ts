import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { driveModule } from './drive.module.ts';
import { DRIVE_QUEUE } from './worker/drive-jobs.ts';

const AT_ONCE = 4;
/** A lease lost by mistake costs a broken-off round, which the next one continues. */
const LEASE_MS = 12_000;
/** A round that is broken off loses nothing. */
const STOP_MS = 2_000;

/** Syncs projects with their folders in drives. */
export const driveJobsModule = defineModule({
  name: 'drive jobs',
  uses: { drive: driveModule },
  create: ({ log }: Pick<CoreContext, 'log'>, { drive }) => ({
    jobs: [
      {
        queue: DRIVE_QUEUE,
        ...drive.work,
        atOnce: AT_ONCE,
        log: log.child('drive'),
        timings: { leaseMs: LEASE_MS, stopMs: STOP_MS },
      },
    ],
  }),
});
