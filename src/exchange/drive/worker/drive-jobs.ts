import { type Clock, isoTime } from '../../../kit/clock.ts';
import { messageOf } from '../../../kit/errors.ts';
import type { Log } from '../../../kit/log.ts';
import type { JobEnded, JobHandlers } from '../../../platform/jobs/handlers.ts';
import type { JobKey, Jobs } from '../../../platform/jobs/jobs.ts';
import type { Projects } from '../../../world/projects/index.ts';
import type { Scope } from '../../../world/records/index.ts';
import type { SyncResult } from '../../sync/index.ts';
import type { DriveChannels } from '../channels.service.ts';
import type { DriveConnection } from '../connections.ts';
import type { DriveRounds } from './drive-rounds.ts';
import type { Failures } from './failures.ts';
import { TURN_MS, type Turns } from './turns.ts';

export const DRIVE_QUEUE = 'drive';

/** Notifications may be lost, so the drive is asked now and then where they come, too. */
const HEARD_EVERY_MS = 10 * 60_000;
const EVERY_MS = 60_000;
const GIVEN_UP_MS = 5 * 60_000;

export const jobOf = ({ tenantId, projectId }: Scope): JobKey => ({
  tenantId,
  projectId,
  queue: DRIVE_QUEUE,
  kind: 'sync',
  subject: projectId,
});

export interface DriveJobsOptions {
  turns: Turns;
  jobs: Jobs;
  projects: Projects;
  rounds: DriveRounds;
  channels: Pick<DriveChannels, 'renew'>;
  failures: Failures;
  countDesktops(tenantId: string): Promise<number>;
  clock: Clock;
  log: Log;
}

/** Runs rounds, one after another of each tenant. A project's job adds itself again as long as it has a folder. */
export function createDriveJobs(options: DriveJobsOptions): { handlers: JobHandlers; onEnded: JobEnded } {
  const { turns, jobs, projects, rounds, channels, failures, countDesktops, clock, log } = options;

  const isDesktops = async ({ source, tenantId }: DriveConnection): Promise<boolean> =>
    source === 'desktop' && (await countDesktops(tenantId)) > 0;

  /** True if notifications come. */
  const isHeard = (connection: DriveConnection): Promise<boolean> =>
    channels.renew(connection).catch((error: unknown) => {
      log.info(`a channel could not be renewed, so the drive is asked more often: ${messageOf(error)}`);
      return false;
    });

  async function round(scope: Scope, signal: AbortSignal): Promise<Pick<SyncResult, 'error'>> {
    const breakOff = () => rounds.breakOff(scope);
    signal.addEventListener('abort', breakOff);
    try {
      return await projects.use(scope.tenantId, scope.projectId, rounds.syncNow);
    } catch (error) {
      log.warn(`a project could not be synced with its drive: ${messageOf(error)}`);
      return { error: { code: 'internal', message: messageOf(error), at: isoTime(clock.now()) } };
    } finally {
      signal.removeEventListener('abort', breakOff);
    }
  }

  /** When the next job is due; null for no other one. */
  async function work(scope: Scope, signal: AbortSignal): Promise<number | null> {
    const connection = await rounds.connectionOf(scope);
    if (connection === null) return null;
    const pausedUntil = await failures.pausedUntil(scope);
    if (pausedUntil !== null) return pausedUntil;
    if (await isDesktops(connection)) return clock.now() + EVERY_MS;
    const { error } = await round(scope, signal);
    signal.throwIfAborted();
    const now = await rounds.connectionOf(scope);
    if (now?.rootFolderId !== connection.rootFolderId) return clock.now();
    if (error !== null) return failures.failed(scope, error);
    await failures.over(scope);
    return clock.now() + ((await isHeard(connection)) ? HEARD_EVERY_MS : EVERY_MS);
  }

  return {
    handlers: {
      async sync(job, signal) {
        const dueAtMs = await turns.take(job, () => work(job, signal), clock.now() + TURN_MS);
        if (dueAtMs !== null) await jobs.add([jobOf(job)], { dueAtMs });
      },
    },
    async onEnded(job, outcome) {
      if (outcome === 'done') return;
      await jobs
        .add([jobOf(job)], { dueAtMs: clock.now() + GIVEN_UP_MS })
        .catch((error: unknown) => log.warn(`the sync with a drive has ended: ${messageOf(error)}`));
    },
  };
}
