import { setTimeout } from 'node:timers/promises';
import { createBackground } from '../../kit/background.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, HttpError, messageOf, notFound, unavailable } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { TemplateEditor, TemplateRegistry } from '../definitions/index.ts';
import type { Author, Entities, RecycleBin } from '../entities/index.ts';
import { keyOfProject, type Project } from '../records/index.ts';
import type { ChangeSource } from '../texts/index.ts';
import type { OperationKind, OperationRow } from './changesets.tables.ts';
import { endOf, noteUndone } from './note-undone.ts';
import {
  deleteOperation,
  deleteSteps,
  findOperation,
  insertOperation,
  notePolled,
  noteRunning,
  unfinishedOperations,
  updateOperation,
} from './operations.store.ts';
import { createProgress } from './progress.ts';
import { MOST_SKIPPED_SHOWN, type OperationReport, reportOf } from './report.ts';
import { runSteps } from './run-steps.ts';
import type { PlannedStep, Step } from './step.ts';
import type { FollowStep } from './step-tools.ts';
import { countSteps, listSteps } from './steps.store.ts';
import { storeSteps } from './store-plan.ts';
import type { HandOver } from './unless-long.ts';

export interface ChangesetsDependencies {
  templates: TemplateRegistry;
  templateEditor: TemplateEditor;
  entities: Entities;
  recycleBin: RecycleBin;
  clock: Clock;
  log: Log;
}

export interface RunsDependencies extends ChangesetsDependencies {
  followers: readonly FollowStep[];
}

type Steps = Iterable<Step> | AsyncIterable<Step>;

export interface ChangesetRequest {
  kind: OperationKind;
  /** A label for people: `Rename character mira to mira_vale`. It is called again when the steps are known. */
  label: string | (() => string);
  author: Author;
  source: ChangeSource;
  /** Each entity at most once; the steps are applied in this order, several at a time. */
  steps: Steps | ((operationId: string) => Steps);
  onProgress?(progress: { done: number; total: number }): void;
  /** Called when the operation can be queried; with `handOver` the work continues while a caller polls it. */
  onBegin?: ((handOver: HandOver) => void) | undefined;
}

export interface Live {
  operation_id: string;
  label: string;
  /** True if a caller has its id. */
  isPolled: boolean;
}

const RELEASE_ATTEMPTS = 20;
const RELEASE_MS = 20;
const UNEXPECTED = 'an unexpected error; the log has it';
const CUT_SHORT = 'the service ended before anything was changed: ask for it again';

export interface Plan extends Omit<ChangesetRequest, 'steps'> {
  undoes: string | null;
  steps: AsyncIterable<PlannedStep>;
}

/**
 * Runs one operation at a time per project: the plan is stored first, each step is settled with its change, and an interrupted
 * operation is finished before the next one begins.
 */
export function createOperationRuns(dependencies: RunsDependencies) {
  const { clock, log } = dependencies;
  const live = new Map<string, Live>();
  const background = createBackground<Project>();
  const stopping = new AbortController();
  const now = () => isoTime(clock.now());

  /** Runs one operation at a time in a project, after finishing an interrupted one. 409 while another one runs. */
  async function alone<Result>(
    project: Project,
    label: string,
    work: (mine: Live) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const running = live.get(keyOfProject(project));
      const done = running ? null : await unlessTaken(project, label, work);
      if (done) return done.result;
      const other = running ?? (await unfinishedOperations(project))[0];
      const isOver = other === undefined || (await isFinished(project, other.operation_id));
      if (!isOver || attempt === RELEASE_ATTEMPTS) throw stillRunning(other);
      // The last operation is stored as finished a moment before its lock is free.
      await setTimeout(RELEASE_MS);
    }
  }

  /** Null if another operation has the project's lock. */
  async function unlessTaken<Result>(
    project: Project,
    label: string,
    work: (mine: Live) => Promise<Result>,
  ): Promise<{ result: Result } | null> {
    const key = keyOfProject(project);
    const mine: Live = { operation_id: newId(), label, isPolled: false };
    live.set(key, mine);
    const onceFree = async () => {
      for (const unfinished of await unfinishedOperations(project)) await finish(project, unfinished);
      return { result: await work(mine) };
    };
    try {
      return await project.database.ifFree(lockOf(project), onceFree, async () => null);
    } finally {
      live.delete(key);
    }
  }

  /** Waits only if there is an operation to finish. */
  async function finishOld(project: Project): Promise<void> {
    const [unfinished] = await unfinishedOperations(project);
    if (unfinished) await alone(project, 'Recovery', async () => {});
  }

  /** True if an open operation is running, here or in another process; false if it was interrupted. */
  async function isRunning(project: Project, operationId: string): Promise<boolean> {
    const isMine = live.get(keyOfProject(project))?.operation_id === operationId;
    return isMine || project.database.isHeld(lockOf(project));
  }

  async function finish(project: Project, operation: OperationRow): Promise<void> {
    if (operation.status === 'planning') {
      await dropPlan(project, operation.operation_id, operation.told === 0 ? null : CUT_SHORT);
      return;
    }
    await run(project, operation);
    log.info(`'${operation.label}' was interrupted and is finished now`);
  }

  /** Stores the whole plan before anything changes. A failed plan is removed, or kept with its reason if a caller has its id. */
  async function store(project: Project, mine: Live, plan: Plan): Promise<OperationRow> {
    const { operation_id: operationId } = mine;
    const row: OperationRow = {
      operation_id: operationId,
      tenant_id: project.tenantId,
      project_id: project.projectId,
      kind: plan.kind,
      label: labelOf(plan),
      source: plan.source,
      status: 'planning',
      total: 0,
      applied: 0,
      skipped: 0,
      undoes: plan.undoes,
      undone_by: null,
      told: 0,
      reason: null,
      created_by: plan.author.actor,
      plan: plan.author.plan,
      started_at: now(),
      finished_at: null,
    };
    await insertOperation(project, row);
    plan.onBegin?.(() => handOver(project, mine));
    try {
      const isCancelled = () => wasCancelled(project, operationId);
      const total = await storeSteps(project, operationId, plan.steps, {
        signal: stopping.signal,
        isCancelled,
      });
      const label = labelOf(plan);
      await noteRunning(project, operationId, { label, total });
      return { ...row, label, status: 'running', total };
    } catch (error) {
      const reason = error instanceof HttpError ? error.message : UNEXPECTED;
      await dropPlan(project, operationId, mine.isPolled ? reason : null).catch(() => {});
      throw error;
    }
  }

  /** Removes an incomplete plan, or marks it as failed with the reason for callers that have its id. */
  async function dropPlan(project: Project, operationId: string, reason: string | null): Promise<void> {
    if (reason === null) return void (await deleteOperation(project, operationId));
    await deleteSteps(project, operationId);
    await updateOperation(project, operationId, { status: 'failed', reason, total: 0, finished_at: now() });
    const failed = await get(project, operationId);
    createProgress(project, failed, dependencies).end(failed);
  }

  async function handOver(project: Project, mine: Live): Promise<OperationReport | null> {
    mine.isPolled = true;
    return (await notePolled(project, mine.operation_id)) ? get(project, mine.operation_id) : null;
  }

  const isFinished = async (project: Project, operationId: string): Promise<boolean> =>
    ((await findOperation(project, operationId))?.finished_at ?? null) !== null;

  const wasCancelled = async (project: Project, operationId: string): Promise<boolean> =>
    (await findOperation(project, operationId))?.status === 'cancelling';

  async function run(
    project: Project,
    operation: OperationRow,
    onProgress?: ChangesetRequest['onProgress'],
  ): Promise<OperationReport> {
    const { operation_id, total, undoes } = operation;
    let done = total - (await countSteps(project, operation_id)).planned;
    const progress = createProgress(project, operation, dependencies);
    const tools = { ...dependencies, project, operation, now };
    await runSteps(tools, log, {
      signal: stopping.signal,
      isCancelled: () => wasCancelled(project, operation_id),
      onStep() {
        done += 1;
        onProgress?.({ done, total });
        progress.step(done);
      },
    });
    const { done: applied, skipped } = await countSteps(project, operation_id);
    const isCut = skipped > 0 && (await wasCancelled(project, operation_id));
    const status = isCut ? 'cancelled' : endOf(skipped);
    // This comes before the end of the operation: after a crash in between it is repeated.
    if (undoes !== null) await noteUndone(project, undoes, operation_id, status === 'done');
    await updateOperation(project, operation_id, { status, applied, skipped, finished_at: now() });
    const ended = await get(project, operation_id);
    progress.end(ended);
    return ended;
  }

  async function find(project: Project, operationId: string): Promise<OperationRow> {
    const row = await findOperation(project, operationId);
    if (row) return row;
    throw notFound('There is no such operation', { code: 'no_such_operation' });
  }

  async function report(project: Project, row: OperationRow): Promise<OperationReport> {
    const isOver = row.finished_at !== null;
    const { done: applied, skipped } = isOver
      ? { done: row.applied, skipped: row.skipped }
      : await countSteps(project, row.operation_id);
    const page = { limit: MOST_SKIPPED_SHOWN, offset: 0, state: 'skipped' } as const;
    const named = skipped > 0 ? await listSteps(project, row.operation_id, page) : [];
    const isLive = !isOver && (await isRunning(project, row.operation_id));
    return reportOf({ ...row, applied, skipped }, named, isLive);
  }

  const get = async (project: Project, operationId: string) =>
    report(project, await find(project, operationId));

  /** Finishes interrupted operations. Never throws: after a failure the next operation tries again. */
  function recover(project: Project): Promise<void> {
    const recovery = finishOld(project).catch((error: unknown) => {
      // Another process runs or finishes it.
      if (error instanceof HttpError && error.extras.code === OPERATION_RUNNING) return;
      log.error(`an interrupted operation is not finished yet: ${messageOf(error)}`);
    });
    background.add(project, recovery);
    return recovery;
  }

  return {
    alone,
    store,
    run,
    find,
    report,
    get,
    isRunning,
    recover,

    /** Keeps the project open while `work` goes on. */
    keepOpen: (project: Project, work: Promise<unknown>): void => background.add(project, work),

    /** True while an operation runs or is being finished in this process. */
    isBusy: (project: Project): boolean => live.has(keyOfProject(project)) || background.isBusy(project),

    /** Leaves unfinished work to the next start. */
    async stop(): Promise<void> {
      stopping.abort(unavailable('The service is stopping'));
      await background.idle();
    },
  };
}

/** Held while an operation runs, so that no other process takes it for interrupted. */
const lockOf = ({ projectId }: Project): string => `operation ${projectId}`;

const OPERATION_RUNNING = 'operation_running';

const stillRunning = (operation?: { operation_id: string; label: string }) =>
  conflict(
    `${operation ? `'${operation.label}'` : 'An operation'} is still running in this project: try again when it is done`,
    { code: OPERATION_RUNNING, ...(operation && { body: { operation_id: operation.operation_id } }) },
  );

export const labelOf = ({ label }: Pick<ChangesetRequest, 'label'>): string =>
  typeof label === 'string' ? label : label();
