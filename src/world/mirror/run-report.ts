import { isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { logEvent, type Project } from '../records/index.ts';
import { type InvalidFile, type SyncReport, type SyncTally, skippedOf } from './report.ts';
import type { SyncRequest, SyncScope } from './run-queue.ts';
import { syncCompleted } from './sync.events.ts';
import type { Progress, RunResult } from './sync-run.ts';

export interface Run {
  id: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  scope: SyncScope;
  progress: Progress;
}

export const nameOf = (scope: SyncScope): string =>
  scope.kind === 'type' ? `type ${scope.type}` : scope.kind;

/** Times in milliseconds since the epoch. */
export const reportOf = (
  run: Run,
  tally: SyncTally,
  { summary, held, rerendered, overPlan }: RunResult,
  { finishedAt, error }: { finishedAt: number; error: SyncReport['error'] },
): SyncReport => ({
  run_id: run.id,
  scope: nameOf(run.scope),
  status: error ? 'failed' : held ? 'needs_confirmation' : 'completed',
  started_at: isoTime(run.startedAt),
  finished_at: isoTime(finishedAt),
  duration_ms: finishedAt - run.startedAt,
  files_scanned: summary.files,
  ...tally.counts,
  rerendered_types: rerendered,
  ...tally.invalid(),
  ...skippedOf(summary),
  unknown_folders: summary.unknownFolders,
  over_plan: overPlan,
  confirmation: held,
  error,
});

/** Writes a finished run to the log, and to the event log if it changed something or a caller requested it. */
export async function announceRun(
  { project, log }: { project: Project; log: Log },
  report: SyncReport,
  tally: SyncTally,
  origin: SyncRequest['origin'],
): Promise<void> {
  const changed = tally.changed();
  logInvalid(log, tally.newlyInvalid());
  if (changed > 0) {
    log.info(
      `sync (${report.scope}) in ${report.duration_ms} ms: ${report.created} created, ${report.updated} updated, ${report.deleted} deleted, ${report.invalid_total} invalid`,
    );
  }
  if (report.created > 0 && report.over_plan > 0)
    log.warn(
      `there are ${report.over_plan} entities more than the plan allows: no more can be created until there are fewer`,
    );
  const isNews =
    changed + tally.revalidated() + tally.layouts() > 0 ||
    report.rerendered_types.length > 0 ||
    report.invalid_new > 0;
  if (!isNews && origin !== 'caller') return;
  const completed = {
    entities_synced: changed,
    errors: report.invalid_total,
    duration_ms: report.duration_ms,
    timestamp: report.finished_at,
  };
  // The sync counts as done even if its end cannot be logged.
  await logEvent(project, syncCompleted, completed).catch((error: unknown) =>
    log.warn(`the end of a sync is not in the event log: ${messageOf(error)}`),
  );
}

const FILES_LOGGED_PER_RUN = 20;

function logInvalid(log: Log, files: readonly InvalidFile[]): void {
  for (const { path, line, column, reason } of files.slice(0, FILES_LOGGED_PER_RUN))
    log.warn(`${path} was not imported (line ${line}, column ${column}): ${reason}`);
  const others = files.length - FILES_LOGGED_PER_RUN;
  if (others > 0) log.warn(`${others} more files were not imported: GET /api/sync/status lists them`);
}
