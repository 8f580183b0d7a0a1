import { type Clock, isoTime } from '../../kit/clock.ts';
import type { JobHold, JobState, Jobs } from '../../platform/jobs/jobs.ts';
import { ASSET_QUEUE } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import type { QueueEntry, QueueStatus } from './asset-queue.contract.ts';

const PAUSE_S = 600;
export const PRESSURE_S = 60;
/** Concurrent jobs at each level of pressure. */
const AT_MOST = { high: 1, critical: 0 };

const SHOWN: Readonly<Record<JobState, QueueEntry['jobs'][number]['status']>> = {
  waiting: 'waiting',
  running: 'running',
  done: 'completed',
  failed: 'failed',
};

const shownTime = (time: number | null): string | null =>
  time !== null && Number.isFinite(time) ? isoTime(time) : null;

/** Shows the limits on a tenant's jobs and the progress of a project's assets (spec 1 §4.5). */
export function createAssetQueue({ jobs, clock }: { jobs: Jobs; clock: Clock }) {
  const inSeconds = (seconds: number): number => clock.now() + seconds * 1_000;

  async function status(project: Project): Promise<QueueStatus> {
    const counts = await jobs.counts(project, ASSET_QUEUE);
    const { pausedUntilMs, slowedUntilMs, atMost } = await jobs.held(project.tenantId, ASSET_QUEUE);
    const isSlowed = slowedUntilMs !== null;
    const doing = counts.waiting + counts.running > 0 ? 'working' : 'idle';
    return {
      status: pausedUntilMs !== null ? 'paused' : isSlowed ? 'slowed' : doing,
      paused_until: shownTime(pausedUntilMs),
      paused_indefinitely: pausedUntilMs === Number.POSITIVE_INFINITY,
      slowed_until: shownTime(slowedUntilMs),
      max_concurrent: isSlowed ? atMost : null,
      waiting: counts.waiting,
      running: counts.running,
      completed: counts.done,
      failed: counts.failed,
    };
  }

  async function hold(project: Project, change: Partial<JobHold>): Promise<QueueStatus> {
    await jobs.hold(project.tenantId, ASSET_QUEUE, change);
    return status(project);
  }

  return {
    status,
    pause: (project: Project, { seconds = PAUSE_S, indefinite = false }) =>
      hold(project, { pausedUntilMs: indefinite ? Number.POSITIVE_INFINITY : inSeconds(seconds) }),
    resume: (project: Project) => hold(project, { pausedUntilMs: null }),
    pressure: (project: Project, level: 'normal' | 'high' | 'critical', seconds: number) =>
      hold(
        project,
        level === 'normal'
          ? { slowedUntilMs: null }
          : { slowedUntilMs: inSeconds(seconds), atMost: AT_MOST[level] },
      ),
    async entry(project: Project, assetId: string): Promise<QueueEntry> {
      const found = await jobs.list(project, ASSET_QUEUE, assetId);
      return {
        asset_id: assetId,
        jobs: found.map(({ kind, state, attempts, error, requestedAtMs, finishedAtMs }) => ({
          processing_type: kind,
          status: SHOWN[state],
          attempts,
          error,
          requested_at: isoTime(requestedAtMs),
          finished_at: shownTime(finishedAtMs),
        })),
      };
    },
  };
}

export type AssetQueue = ReturnType<typeof createAssetQueue>;
