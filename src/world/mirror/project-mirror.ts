import { once } from 'node:events';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError, messageOf, unavailable } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { Watcher } from '../../platform/watcher/watcher.ts';
import type { NoteConflictCopy } from '../conflict-records/index.ts';
import type { ReferenceChecks } from '../entities/index.ts';
import { logEvent, type Project } from '../records/index.ts';
import { emptySummary, type ScannerClient, ScannerLost } from '../scan/index.ts';
import { definitionProblems, type TemplateRegistry, type TemplateSet } from '../templates/index.ts';
import { adoptRecycled } from './adopt.ts';
import { compareFolder } from './check-changes.ts';
import { createDeletions } from './deletions.ts';
import { createHousekeeping } from './housekeeping.ts';
import { readBrake, storeBrake } from './mirror.store.ts';
import { createNoticing } from './noticing.ts';
import { createPatientHints } from './patient-hints.ts';
import {
  type Brake,
  createTally,
  type InvalidFile,
  type SyncReport,
  skippedOf,
  type Tally,
} from './report.ts';
import { createRunQueue, type SyncRequest, type SyncScope } from './run-queue.ts';
import { createScannerSession } from './scanner-session.ts';
import { syncCompleted } from './sync.events.ts';
import { type Progress, type RunParts, type RunResult, runSync } from './sync-run.ts';
import { createWatching } from './watching.ts';

export interface ProjectMirrorOptions {
  project: Project;
  templates: TemplateRegistry;
  clock: Clock;
  log: Log;
  scanner: ScannerClient;
  watcher: Watcher | null;
  /** Between full syncs; null for none. */
  sweepIntervalMs: number | null;
  /** Whether the start compares everything; a one-off command asks for the sync that it means. */
  sweepOnStart: boolean;
  /** Entities the tenant may have; -1 for any number. */
  entitiesLimit(): number;
  noteConflictCopy: NoteConflictCopy;
  checks: ReferenceChecks;
  /** Resolves when folder and rows may be compared. */
  prepared(): Promise<void>;
  /** Called while a long run goes on, when more of it is stored. */
  stored(): void;
  /** Called after each run. */
  synced(): void;
}

export interface MirrorStatus {
  running: boolean;
  run_id: string | null;
  scope: string | null;
  started_at: string | null;
  progress: Progress | null;
  last: SyncReport | null;
  last_full_sync_at: string | null;
  confirmation: Brake | null;
}

const LOOK_THROUGH_MS = 3_600_000;
/** A scanner that dies is started again so often within one run. */
const SCANNER_ATTEMPTS = 3;

/** So many files are named in the log after one run. */
const MOST_LOGGED = 20;

function logInvalid(log: Log, files: readonly InvalidFile[]): void {
  for (const { path, line, column, reason } of files.slice(0, MOST_LOGGED))
    log.warn(`${path} is not taken in (line ${line}, column ${column}): ${reason}`);
  const others = files.length - MOST_LOGGED;
  if (others > 0) log.warn(`${others} more files are not taken in: GET /api/sync/status names them`);
}

const nameOf = (scope: SyncScope): string => (scope.kind === 'type' ? `type ${scope.type}` : scope.kind);

/** Keeps one project's database and folder the same. */
export function createProjectMirror(options: ProjectMirrorOptions) {
  const { project, templates, clock, log, scanner, sweepIntervalMs, sweepOnStart } = options;
  const session = createScannerSession(scanner, project);
  const deletions = createDeletions(project, clock);
  const housekeeping = createHousekeeping(project, clock, log);
  const parts: RunParts = {
    project,
    templates,
    session,
    deletions,
    clock,
    log,
    entitiesLimit: options.entitiesLimit,
    noteConflictCopy: options.noteConflictCopy,
    checks: options.checks,
    stored: options.stored,
  };
  const queue = createRunQueue(perform);
  const hints = createPatientHints(queue.hint);
  const watching = createWatching({ watcher: options.watcher, hint: createNoticing(project, queue), log });
  const stopping = new AbortController();
  let current: { id: string; startedAt: number; scope: SyncScope; progress: Progress } | null = null;
  let last: SyncReport | null = null;
  let lastFullAt: string | null = null;
  let brake: Brake | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ready: Promise<unknown> = Promise.resolve();
  let started = Promise.resolve();
  let isStarting = false;
  /** When everything is looked through for entities whose file became another's: in another process, too, a run may have been cut short. */
  let lookThroughAt = 0;

  async function underOf(scope: SyncScope): Promise<readonly string[] | null> {
    if (scope.kind === 'full') return null;
    if (scope.kind === 'paths') return scope.paths;
    const template = (await templates.of(project)).types.get(scope.type);
    return template ? [template.folder_name] : [];
  }

  async function perform(request: SyncRequest): Promise<SyncReport> {
    const { scope } = request;
    const looksThrough = scope.kind === 'full' && (request.force || performance.now() >= lookThroughAt);
    await ready;
    const run = {
      id: newId(),
      startedAt: clock.now(),
      scope,
      progress: { phase: 'comparing', done: 0, total: null } as Progress,
    };
    const tally = createTally({ keepsCame: scope.kind !== 'full' });
    current = run;
    let result: RunResult = { summary: emptySummary(), brake: null, rerendered: [], overPlan: 0 };
    let error: SyncReport['error'] = null;
    try {
      result = await project.database.exclusive(`sync ${project.projectId}`, () =>
        attempt({ ...request, looksThrough }, run.progress, tally),
      );
      await settleBrake(request, result.brake);
    } catch (failure) {
      error = failureOf(failure);
    }
    if (error !== null || result.brake !== null) lookThroughAt = 0;
    else if (looksThrough) lookThroughAt = performance.now() + LOOK_THROUGH_MS;
    current = null;
    hints.ran(error === null);
    const report = reportOf(run, tally, result, error);
    if (scope.kind === 'full' && error === null) {
      lastFullAt = report.finished_at;
      watching.revive();
    }
    if (request.origin !== 'hint' || report.status !== 'completed') last = report;
    await tell(report, tally, request.origin);
    options.synced();
    return report;
  }

  async function attempt(
    request: SyncRequest & { looksThrough: boolean },
    progress: Progress,
    tally: Tally,
  ): Promise<RunResult> {
    const under = await underOf(request.scope);
    const { force, looksThrough } = request;
    const isHint = request.origin === 'hint';
    for (let round = 1; ; round += 1) {
      try {
        const result = await runSync(parts, {
          under,
          force,
          looksThrough,
          isHint,
          signal: stopping.signal,
          progress,
          tally,
        });
        if (under === null) await finishFull(result, tally);
        return result;
      } catch (error) {
        if (!(error instanceof ScannerLost) || round === SCANNER_ATTEMPTS || stopping.signal.aborted)
          throw error;
        log.warn(`${messageOf(error)}; it is started again`);
      }
    }
  }

  async function finishFull({ summary }: RunResult, tally: Tally): Promise<void> {
    const set = await templatesNow();
    tally.counts.adopted = await adoptRecycled(project, set, summary.recycled, clock);
    for (const { path, line, column, reason, severity } of definitionProblems(set)) {
      if (severity === 'error') tally.addInvalid({ path, line: line ?? 1, column: column ?? 1, reason });
    }
    housekeeping.afterFullSync();
  }

  /** What is wrong with templates may lie around their files, such as a folder that cannot be read: no sync sees it mended. */
  async function templatesNow(): Promise<TemplateSet> {
    const set = await templates.of(project);
    const isWhole = definitionProblems(set).every(({ severity }) => severity !== 'error');
    return isWhole ? set : (await templates.reload(project)).set;
  }

  /** A full run tells whether there is still something to confirm; a partial one only adds to it. */
  async function settleBrake(request: SyncRequest, found: Brake | null): Promise<void> {
    const next = found ?? (request.scope.kind === 'full' ? null : brake);
    if (next === null && brake === null) return;
    const isNews = found !== null && found.reason !== brake?.reason;
    brake = next;
    if (isNews) log.warn(`sync stopped, nothing was deleted: ${found.reason}; a sync with force goes on`);
    await storeBrake(project, next);
  }

  function failureOf(failure: unknown): NonNullable<SyncReport['error']> {
    if (stopping.signal.aborted) return { code: 'stopped', message: 'the service is stopping' };
    if (failure instanceof FilesError || failure instanceof DatabaseError) {
      log.error(`sync failed: ${failure.message}`);
      return { code: failure.code, message: failure.message };
    }
    log.error(`sync failed: ${failure instanceof Error ? failure.stack : messageOf(failure)}`);
    return { code: 'internal', message: 'an unexpected error; the log has it' };
  }

  function reportOf(
    run: NonNullable<typeof current>,
    tally: Tally,
    { summary, brake: stop, rerendered, overPlan }: RunResult,
    error: SyncReport['error'],
  ): SyncReport {
    const finishedAt = clock.now();
    return {
      run_id: run.id,
      scope: nameOf(run.scope),
      status: error ? 'failed' : stop ? 'needs_confirmation' : 'completed',
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
      confirmation: stop,
      error,
    };
  }

  async function tell(report: SyncReport, tally: Tally, origin: SyncRequest['origin']): Promise<void> {
    const changed = tally.changed();
    logInvalid(log, tally.newlyInvalid());
    if (changed > 0) {
      log.info(
        `sync (${report.scope}) in ${report.duration_ms} ms: ${report.created} created, ${report.updated} updated, ${report.deleted} deleted, ${report.invalid_total} invalid`,
      );
    }
    if (report.created > 0 && report.over_plan > 0)
      log.warn(
        `there are ${report.over_plan} entities more than the plan allows: none can be made until there are fewer`,
      );
    const isNews =
      changed + tally.revalidated() > 0 || report.rerendered_types.length > 0 || report.invalid_new > 0;
    if (!isNews && origin !== 'caller') return;
    const completed = {
      entities_synced: changed,
      errors: report.invalid_total,
      duration_ms: report.duration_ms,
      timestamp: report.finished_at,
    };
    // The sync is done whether its end can be logged or not.
    await logEvent(project, syncCompleted, completed).catch((error: unknown) =>
      log.warn(`the end of a sync is not in the event log: ${messageOf(error)}`),
    );
  }

  const sweep = () => {
    if (!queue.isBusy() && !watching.isPaused())
      void queue.ask({ scope: { kind: 'full' }, force: false, origin: 'sweep' });
  };

  return {
    project,
    /** Starts to watch and to compare everything; resolves when both are under way. */
    async start(): Promise<void> {
      ready = Promise.race([options.prepared(), once(stopping.signal, 'abort')]);
      brake = await readBrake(project);
      isStarting = true;
      started = watching.start().then(() => {
        isStarting = false;
        if (!stopping.signal.aborted && sweepOnStart) sweep();
      });
      if (sweepIntervalMs !== null) timer = setInterval(sweep, sweepIntervalMs).unref();
    },
    sync(scope: SyncScope, force: boolean): Promise<SyncReport> {
      if (stopping.signal.aborted) throw unavailable('The service is stopping');
      return queue.ask({ scope, force, origin: 'caller' });
    },
    /** Names paths that may have changed. */
    hint: hints.hint,
    /** What differs between folder and database; changes nothing. */
    check: () => queue.turn(() => compareFolder(project, templates, session)),
    status: (): MirrorStatus => ({
      running: current !== null,
      run_id: current?.id ?? null,
      scope: current && nameOf(current.scope),
      started_at: current && isoTime(current.startedAt),
      progress: current && { ...current.progress },
      last,
      last_full_sync_at: lastFullAt,
      confirmation: brake,
    }),
    watcherStatus: watching.status,
    /** Files are read on request alone until `resume`. */
    pause: watching.pause,
    async resume(): Promise<void> {
      await watching.resume();
      sweep();
    },
    isPaused: watching.isPaused,
    isBusy: (): boolean => isStarting || !queue.isIdle(),
    /** Resolves when the start's sync and everything asked for since is done. */
    async settled(): Promise<void> {
      await started;
      await queue.idle();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      hints.stop();
      stopping.abort(new HttpError(503, 'The service is stopping'));
      queue.clear(unavailable('The service is stopping'));
      await watching.stop();
      await started;
      await queue.idle();
      await housekeeping.idle();
      session.close();
    },
  };
}

export type ProjectMirror = ReturnType<typeof createProjectMirror>;
