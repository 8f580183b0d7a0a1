import { type Role, roleAllows } from '../../access/plans.ts';
import { createBackground } from '../../kit/background.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, forbidden, HttpError, messageOf, notFound, unavailable } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Author, Entities, RecycleBin } from '../entities/index.ts';
import { keyOfProject, type Project } from '../records/index.ts';
import type { TemplateEditor, TemplateRegistry } from '../templates/index.ts';
import type { ChangeSource } from '../texts/index.ts';
import type { OperationKind, OperationRow } from './changesets.tables.ts';
import { inverseSteps } from './inverse-steps.ts';
import { endOf, noteUndone } from './note-undone.ts';
import {
  deleteOperation,
  deleteSteps,
  findOperation,
  insertOperation,
  listOperations,
  noteCancelling,
  noteRunning,
  noteTold,
  unfinishedOperations,
  updateOperation,
} from './operations.store.ts';
import { createProgress } from './progress.ts';
import { MOST_SKIPPED_SHOWN, type OperationReport, reportOf } from './report.ts';
import { runSteps } from './run-steps.ts';
import type { PlannedStep, Step } from './step.ts';
import { countSteps, hasSteps, listSteps, versionsToUndo } from './steps.store.ts';
import { planned, storeSteps } from './store-plan.ts';
import { type Answer, type HandOver, unlessLong } from './unless-long.ts';

export interface ChangesetsDependencies {
  templates: TemplateRegistry;
  templateEditor: TemplateEditor;
  entities: Entities;
  recycleBin: RecycleBin;
  clock: Clock;
  log: Log;
}

type Steps = Iterable<Step> | AsyncIterable<Step>;

export interface ChangesetRequest {
  kind: OperationKind;
  /** What it does, for people: `Rename character mira to mira_vale`. Asked again when the steps are known. */
  label: string | (() => string);
  author: Author;
  source: ChangeSource;
  /** Each entity once; they are applied in this order, several at a time. */
  steps: Steps | ((operationId: string) => Steps);
  onProgress?(progress: { done: number; total: number }): void;
  /** Called once the operation can be asked for: by what it is given, work goes on while somebody follows it. */
  onBegin?: ((handOver: HandOver) => void) | undefined;
}

export type Changesets = ReturnType<typeof createChangesets>;

/** An operation of this process. */
interface Live {
  operation_id: string;
  label: string;
  /** Whether somebody was given its id, to follow it. */
  told: boolean;
}

/** So long an operation can be undone whatever the limits of the history say. */
const UNDO_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

const UNEXPECTED = 'an unexpected error; the log has it';
const CUT_SHORT = 'the service ended before anything was changed: ask for it again';

interface Plan extends Omit<ChangesetRequest, 'steps'> {
  undoes: string | null;
  steps: AsyncIterable<PlannedStep>;
}

/** Several files changed as one step that survives a crash and can be taken back (docs/design.md, "Operations"). */
export function createChangesets(dependencies: ChangesetsDependencies) {
  const { clock, log } = dependencies;
  const live = new Map<string, Live>();
  const background = createBackground<Project>();
  const stopping = new AbortController();
  const now = () => isoTime(clock.now());

  /** One operation at a time in a project; what an earlier one left unfinished is finished first. */
  async function alone<Result>(
    project: Project,
    label: string,
    work: (mine: Live) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOfProject(project);
    const running = live.get(key);
    if (running) throw stillRunning(running);
    const mine: Live = { operation_id: newId(), label, told: false };
    live.set(key, mine);
    const onceFree = async () => {
      for (const unfinished of await unfinishedOperations(project)) await finish(project, unfinished);
      return work(mine);
    };
    const whenTaken = async () => {
      throw stillRunning((await unfinishedOperations(project))[0]);
    };
    try {
      return await project.database.ifFree(lockOf(project), onceFree, whenTaken);
    } finally {
      live.delete(key);
    }
  }

  /** Keeps nobody from their own operation unless there is something to finish. */
  async function finishOld(project: Project): Promise<void> {
    const [unfinished] = await unfinishedOperations(project);
    if (unfinished) await alone(project, 'Recovery', async () => {});
  }

  /** Whether an open operation goes on, here or in another process; otherwise something cut it short. */
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

  /** Stores the whole plan before anything changes. A plan that fails leaves nothing, or its failure where it was told. */
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
      await dropPlan(project, operationId, mine.told ? reason : null).catch(() => {});
      throw error;
    }
  }

  /** Takes an incomplete plan away. Whoever was told of the operation finds why it came to nothing. */
  async function dropPlan(project: Project, operationId: string, reason: string | null): Promise<void> {
    if (reason === null) return void (await deleteOperation(project, operationId));
    await deleteSteps(project, operationId);
    await updateOperation(project, operationId, { status: 'failed', reason, total: 0, finished_at: now() });
    const failed = await get(project, operationId);
    createProgress(project, failed, dependencies).end(failed);
  }

  async function handOver(project: Project, mine: Live): Promise<OperationReport | null> {
    mine.told = true;
    return (await noteTold(project, mine.operation_id)) ? get(project, mine.operation_id) : null;
  }

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
    // Before this one is over: a crash in between does it again.
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

  /** Finishes what a crash left unfinished. Never throws: what cannot be finished now is tried again before the next operation. */
  function recover(project: Project): Promise<void> {
    const recovery = finishOld(project).catch((error: unknown) => {
      // Another process runs it, or finishes what is left of it.
      if (error instanceof HttpError && error.extras.code === OPERATION_RUNNING) return;
      log.error(`an interrupted operation is not finished yet: ${messageOf(error)}`);
    });
    background.add(project, recovery);
    return recovery;
  }

  return {
    get,

    /** Applies several changes as one step. 409 while another operation runs in the project. */
    apply: (project: Project, request: ChangesetRequest): Promise<OperationReport> =>
      alone(project, labelOf(request), async (mine) => {
        const operation = await store(project, mine, planOf(project, request, mine));
        return run(project, operation, request.onProgress);
      }),

    /** The same, but an operation that has nothing to do leaves nothing: null. One that somebody follows stays. */
    applyUnlessEmpty: (project: Project, request: ChangesetRequest): Promise<OperationReport | null> =>
      alone(project, labelOf(request), async (mine) => {
        const operation = await store(project, mine, planOf(project, request, mine));
        if (operation.total > 0 || mine.told) return run(project, operation, request.onProgress);
        await deleteOperation(project, operation.operation_id);
        return null;
      }),

    /**
     * What work comes to where that takes no longer than `waitMs`, else its operation; then the work goes on, and the
     * project stays open for it. What becomes of it is told by the operation.
     */
    async unlessLong<Result>(
      project: Project,
      waitMs: number,
      work: (begun: (handOver: HandOver) => void) => Promise<Result>,
    ): Promise<Answer<Result>> {
      const begun = Promise.withResolvers<HandOver>();
      const running = work(begun.resolve);
      background.add(project, running);
      const answer = await unlessLong(waitMs, running, begun.promise);
      if ('operation' in answer)
        running.catch((error: unknown) => {
          log.warn(`'${answer.operation.label}' did not come to its end: ${messageOf(error)}`);
        });
      return answer;
    },

    /**
     * Asks an operation to stop. What it has done stays, and can be undone; what is left is skipped. 409 for one that is
     * over, or that makes sense only as a whole.
     */
    async cancel(project: Project, operationId: string): Promise<OperationReport> {
      const row = await find(project, operationId);
      const moves = { kind: 'move', state: ['planned', 'done'] } as const;
      if (row.kind === 'rename' || (await hasSteps(project, operationId, moves)))
        throw conflict(`'${row.label}' changes an id and what refers to it, so it is done as a whole`, {
          code: 'not_cancellable',
        });
      if (!(await noteCancelling(project, operationId)))
        throw conflict(`'${row.label}' is over: undo it to take it back`, { code: 'operation_over' });
      if (!(await isRunning(project, operationId))) await recover(project);
      return get(project, operationId);
    },

    /**
     * Takes an operation back as an operation of its own. What was changed since keeps that change where the two do not
     * overlap; where they do, the file is left and named. 409 for one that is undone already, 403 for an editor where a
     * template was changed.
     */
    undo: (
      project: Project,
      operationId: string,
      author: Author & { role: Role },
      onBegin?: ChangesetRequest['onBegin'],
    ): Promise<OperationReport> =>
      alone(project, 'Undo', async (mine) => {
        const target = await find(project, operationId);
        if (target.status === 'undone') {
          throw conflict(`'${target.label}' is undone already`, { code: 'undone_already' });
        }
        const changed = { kind: 'template', state: 'done' } as const;
        if (!roleAllows(author.role, 'admin') && (await hasSteps(project, operationId, changed))) {
          throw forbidden('It changed a template, so it takes the role admin to undo it');
        }
        const operation = await store(project, mine, {
          kind: 'undo',
          onBegin,
          label: undoLabel(target),
          author,
          source: 'api',
          undoes: operationId,
          steps: inverseSteps(project, operationId),
        });
        return run(project, operation);
      }),

    /** Operations, newest first. */
    async list(project: Project, limit: number, offset: number) {
      const { total, rows } = await listOperations(project, limit, offset);
      const operations: OperationReport[] = [];
      for (const row of rows) operations.push(await report(project, row));
      return { total, operations };
    },

    /** An operation's steps, in their order. */
    steps: (project: Project, operationId: string, limit: number, offset: number) =>
      listSteps(project, operationId, { limit, offset }),

    /** By row id, the oldest version of some entities that the undo of an operation needs. */
    neededVersions: (project: Project, rowIds: readonly number[], now: number) =>
      versionsToUndo(project, rowIds, isoTime(now - UNDO_DAYS * DAY_MS)),

    recover,

    /** Whether an operation runs here, or one is being finished. */
    isBusy: (project: Project): boolean => live.has(keyOfProject(project)) || background.isBusy(project),

    /** Leaves what is under way to the next start. */
    async stop(): Promise<void> {
      stopping.abort(unavailable('The service is stopping'));
      await background.idle();
    },
  };
}

/** Held while an operation runs, so that no other process takes it for one that was cut short. */
const lockOf = ({ projectId }: Project): string => `operation ${projectId}`;

const OPERATION_RUNNING = 'operation_running';

const stillRunning = (operation?: { operation_id: string; label: string }) =>
  conflict(
    `${operation ? `'${operation.label}'` : 'An operation'} is still running in this project: try again when it is done`,
    { code: OPERATION_RUNNING, ...(operation && { body: { operation_id: operation.operation_id } }) },
  );

const labelOf = ({ label }: Pick<ChangesetRequest, 'label'>): string =>
  typeof label === 'string' ? label : label();

const planOf = (project: Project, request: ChangesetRequest, { operation_id }: Live): Plan => ({
  ...request,
  steps: planned(project, typeof request.steps === 'function' ? request.steps(operation_id) : request.steps),
  undoes: null,
});

const undoLabel = ({ kind, label }: OperationRow): string => {
  if (kind !== 'undo') return `Undo: ${label}`;
  return label.startsWith('Undo') ? label.replace('Undo', 'Redo') : label.replace('Redo', 'Undo');
};
