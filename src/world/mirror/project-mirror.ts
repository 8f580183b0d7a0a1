import { once } from 'node:events';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError, messageOf, unavailable } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { Watcher } from '../../platform/watcher/watcher.ts';
import type { NoteConflictCopy } from '../conflict-records/index.ts';
import { definitionProblems, type TemplateRegistry, type TemplateSet } from '../definitions/index.ts';
import type { ReferenceChecks } from '../entities/index.ts';
import type { Project } from '../records/index.ts';
import { emptySummary, type ScannerClient, ScannerLost } from '../scan/index.ts';
import { adoptRecycled } from './adopt.ts';
import { compareFolder } from './check-changes.ts';
import { createDeletions } from './deletions.ts';
import { createHeldDeletionsMemory } from './held-deletions.ts';
import { createHintBackoff } from './hint-backoff.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createNoticing } from './noticing.ts';
import { createSyncTally, type HeldDeletions, type SyncReport, type SyncTally } from './report.ts';
import { createRunQueue, type SyncRequest, type SyncScope } from './run-queue.ts';
import { announceRun, nameOf, type Run, reportOf } from './run-report.ts';
import { createScannerSession } from './scanner-session.ts';
import { type Progress, type RunParts, type RunResult, runSync } from './sync-run.ts';
import { createWatching } from './watching.ts';

export interface ProjectMirrorOptions {
  project: Project;
  templates: TemplateRegistry;
  clock: Clock;
  log: Log;
  scanner: ScannerClient;
  watcher: Watcher | null;
  sweepIntervalMs: number | null;
  /** True if the start compares everything; a one-off command requests its own sync. */
  sweepOnStart: boolean;
  /** Entities that the tenant's plan allows; -1 for no limit. */
  entitiesLimit(): number;
  noteConflictCopy: NoteConflictCopy;
  checks: ReferenceChecks;
  /** Resolves when folder and rows may be compared. */
  prepared(): Promise<void>;
  stored(): void;
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
  confirmation: HeldDeletions | null;
}

const ORPHAN_SEARCH_MS = 3_600_000;
/** Starts of a dying scanner within one run. */
const SCANNER_ATTEMPTS = 3;

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
  const hints = createHintBackoff(queue.hint);
  const watching = createWatching({ watcher: options.watcher, hint: createNoticing(project, queue), log });
  const stopping = new AbortController();
  const held = createHeldDeletionsMemory(project, log);
  let current: Run | null = null;
  let last: SyncReport | null = null;
  let lastFullAt: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ready: Promise<unknown> = Promise.resolve();
  let started = Promise.resolve();
  let isStarting = false;
  /** When to search again for entities whose file became another's; an interrupted run, perhaps in another process, may have left some. */
  let nextOrphanSearchAt = 0;

  async function underOf(scope: SyncScope): Promise<readonly string[] | null> {
    if (scope.kind === 'full') return null;
    if (scope.kind === 'paths') return scope.paths;
    const template = (await templates.of(project)).types.get(scope.type);
    return template ? [template.folder_name] : [];
  }

  async function perform(request: SyncRequest): Promise<SyncReport> {
    const { scope } = request;
    const findsOrphans = scope.kind === 'full' && (request.force || performance.now() >= nextOrphanSearchAt);
    await ready;
    const progress: Progress = { phase: 'comparing', done: 0, total: null };
    const run = { id: newId(), startedAt: clock.now(), scope, progress };
    const tally = createSyncTally({ keepsAdded: scope.kind !== 'full' });
    current = run;
    let result: RunResult = { summary: emptySummary(), held: null, rerendered: [], overPlan: 0 };
    let error: SyncReport['error'] = null;
    try {
      result = await project.database.exclusive(`sync ${project.projectId}`, () =>
        attempt({ ...request, findsOrphans }, progress, tally),
      );
      await held.settle(request, result.held);
    } catch (failure) {
      error = failureOf(failure);
    }
    if (error !== null || result.held !== null) nextOrphanSearchAt = 0;
    else if (findsOrphans) nextOrphanSearchAt = performance.now() + ORPHAN_SEARCH_MS;
    current = null;
    hints.ran(error === null);
    const report = reportOf(run, tally, result, { finishedAt: clock.now(), error });
    if (scope.kind === 'full' && error === null) {
      lastFullAt = report.finished_at;
      watching.revive();
    }
    if (request.origin !== 'hint' || report.status !== 'completed') last = report;
    await announceRun(options, report, tally, request.origin);
    options.synced();
    return report;
  }

  async function attempt(
    request: SyncRequest & { findsOrphans: boolean },
    progress: Progress,
    tally: SyncTally,
  ): Promise<RunResult> {
    const under = await underOf(request.scope);
    const { force, findsOrphans } = request;
    const isHint = request.origin === 'hint';
    for (let round = 1; ; round += 1) {
      try {
        const result = await runSync(parts, {
          under,
          force,
          findsOrphans,
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

  async function finishFull({ summary }: RunResult, tally: SyncTally): Promise<void> {
    const set = await templatesNow();
    tally.counts.adopted = await adoptRecycled(project, set, summary.recycled, clock);
    for (const { path, line, column, reason, severity } of definitionProblems(set)) {
      if (severity === 'error') tally.addInvalid({ path, line: line ?? 1, column: column ?? 1, reason });
    }
    housekeeping.afterFullSync();
  }

  /** A fault of templates may lie outside their files, as in an unreadable folder: no sync notices that it is fixed. */
  async function templatesNow(): Promise<TemplateSet> {
    const set = await templates.of(project);
    const isWhole = definitionProblems(set).every(({ severity }) => severity !== 'error');
    return isWhole ? set : (await templates.reload(project)).set;
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

  const sweep = () => {
    if (!queue.isBusy() && !watching.isPaused())
      void queue.ask({ scope: { kind: 'full' }, force: false, origin: 'sweep' });
  };

  return {
    project,
    async start(): Promise<void> {
      ready = Promise.race([options.prepared(), once(stopping.signal, 'abort')]);
      await held.load();
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
    hint: hints.hint,
    check: () => queue.betweenRuns(() => compareFolder(project, templates, session)),
    status: (): MirrorStatus => ({
      running: current !== null,
      run_id: current?.id ?? null,
      scope: current && nameOf(current.scope),
      started_at: current && isoTime(current.startedAt),
      progress: current && { ...current.progress },
      last,
      last_full_sync_at: lastFullAt,
      confirmation: held.current(),
    }),
    watcherStatus: watching.status,
    /** Until `resume`, files are read on request only. */
    pause: watching.pause,
    async resume(): Promise<void> {
      await watching.resume();
      sweep();
    },
    isPaused: watching.isPaused,
    isBusy: (): boolean => isStarting || !queue.isIdle(),
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
