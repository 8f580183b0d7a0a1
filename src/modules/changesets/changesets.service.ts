import { type Role, roleAllows } from '../../content/plans.ts';
import { createBackground } from '../../kit/background.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, forbidden, HttpError, messageOf, notFound, unavailable } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Author, Entities } from '../entities/entities.service.ts';
import type { RecycleBin } from '../entities/recycle.service.ts';
import type { ChangeSource } from '../records/records.tables.ts';
import { keyOfProject, type Project } from '../records/scope.ts';
import type { TemplateEditor } from '../templates/edit-template.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import type { OperationKind, OperationRow, OperationStatus } from './changesets.tables.ts';
import { inverseSteps } from './inverse-steps.ts';
import {
  deleteOperation,
  findOperation,
  insertOperation,
  listOperations,
  unfinishedOperations,
  updateOperation,
} from './operations.store.ts';
import { MOST_SKIPPED_SHOWN, type OperationReport, reportOf } from './report.ts';
import { runSteps } from './run-steps.ts';
import { type PlannedStep, plannedStep, type Step } from './step.ts';
import { countSteps, hasSteps, insertSteps, listSteps, versionsToUndo } from './steps.store.ts';

export interface ChangesetsDependencies {
  templates: TemplateRegistry;
  templateEditor: TemplateEditor;
  entities: Entities;
  recycleBin: RecycleBin;
  clock: Clock;
  log: Log;
}

export interface ChangesetRequest {
  kind: OperationKind;
  /** What it does, for people: `Rename character mira to mira_vale`. */
  label: string;
  author: Author;
  source: ChangeSource;
  /** Each entity once; they are applied in this order, several at a time. */
  steps: Iterable<Step> | AsyncIterable<Step>;
  onProgress?(progress: { done: number; total: number }): void;
}

export type Changesets = ReturnType<typeof createChangesets>;

/** So long an operation can be undone whatever the limits of the history say. */
const UNDO_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Plans are stored in pieces of so many steps, or of about so much text. */
const CHUNK = { steps: 100, characters: 2_000_000 };

interface Plan extends Omit<ChangesetRequest, 'steps'> {
  undoes: string | null;
  steps: AsyncIterable<PlannedStep>;
}

/** Several files changed as one step that survives a crash and can be taken back (docs/design.md, "Operations"). */
export function createChangesets(dependencies: ChangesetsDependencies) {
  const { clock, log } = dependencies;
  const live = new Map<string, { operation_id: string; label: string }>();
  const recoveries = new Map<string, Promise<void>>();
  const recovering = createBackground<Project>();
  const stopping = new AbortController();
  const now = () => isoTime(clock.now());

  /** One operation at a time in a project; what an earlier one left unfinished is finished first. */
  async function alone<Result>(
    project: Project,
    label: string,
    work: (operationId: string) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOfProject(project);
    const running = live.get(key);
    if (running) throw stillRunning(running);
    const mine = { operation_id: newId(), label };
    live.set(key, mine);
    const onceFree = async () => {
      for (const unfinished of await unfinishedOperations(project)) await finish(project, unfinished);
      return work(mine.operation_id);
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
      await deleteOperation(project, operation.operation_id);
      return;
    }
    await run(project, operation);
    log.info(`'${operation.label}' was interrupted and is finished now`);
  }

  /** Stores the whole plan before anything changes. */
  async function store(project: Project, operationId: string, plan: Plan): Promise<OperationRow> {
    const row: OperationRow = {
      operation_id: operationId,
      tenant_id: project.tenantId,
      project_id: project.projectId,
      kind: plan.kind,
      label: plan.label,
      source: plan.source,
      status: 'planning',
      total: 0,
      applied: 0,
      skipped: 0,
      undoes: plan.undoes,
      undone_by: null,
      created_by: plan.author.actor,
      plan: plan.author.plan,
      started_at: now(),
      finished_at: null,
    };
    await insertOperation(project, row);
    try {
      const total = await storeSteps(project, operationId, plan.steps);
      await updateOperation(project, operationId, { status: 'running', total });
      return { ...row, status: 'running', total };
    } catch (error) {
      await deleteOperation(project, operationId).catch(() => {});
      throw error;
    }
  }

  async function storeSteps(
    project: Project,
    operationId: string,
    steps: AsyncIterable<PlannedStep>,
  ): Promise<number> {
    const keys = { operation_id: operationId, tenant_id: project.tenantId };
    let total = 0;
    let chunk: (PlannedStep & typeof keys & { position: number })[] = [];
    let characters = 0;
    const pause = createPauses();
    for await (const step of steps) {
      await pause();
      chunk.push({ ...step, ...keys, position: total });
      total += 1;
      characters += (step.base?.length ?? 0) + (step.text?.length ?? 0);
      if (chunk.length < CHUNK.steps && characters < CHUNK.characters) continue;
      await insertSteps(project, chunk);
      chunk = [];
      characters = 0;
    }
    if (chunk.length > 0) await insertSteps(project, chunk);
    return total;
  }

  async function run(
    project: Project,
    operation: OperationRow,
    onProgress?: ChangesetRequest['onProgress'],
  ): Promise<OperationReport> {
    const { operation_id, total, undoes } = operation;
    let done = total - (await countSteps(project, operation_id)).planned;
    const tools = { ...dependencies, project, operation, now };
    await runSteps(tools, log, stopping.signal, () => {
      done += 1;
      onProgress?.({ done, total });
    });
    const { done: applied, skipped } = await countSteps(project, operation_id);
    const status = endOf(skipped);
    // Before this one is over: a crash in between does it again.
    if (undoes !== null) await noteUndone(project, undoes, operation_id, status === 'done');
    await updateOperation(project, operation_id, { status, applied, skipped, finished_at: now() });
    return get(project, operation_id);
  }

  /**
   * An operation is undone when all of it was taken back. What it had itself taken back holds again then, what that had
   * taken back does not, and so on.
   */
  async function noteUndone(project: Project, target: string, by: string, isWhole: boolean): Promise<void> {
    await updateOperation(project, target, { undone_by: by, ...(isWhole && { status: 'undone' }) });
    if (!isWhole) return;
    let earlier = await findOperation(project, target);
    for (let holds = true; earlier?.undoes; holds = !holds) {
      const { operation_id, undoes, skipped } = earlier;
      const found = await findOperation(project, undoes);
      const wasWhole = skipped === 0;
      if (found && holds) {
        await updateOperation(project, undoes, { undone_by: null, status: endOf(found.skipped) });
      } else {
        await updateOperation(project, undoes, {
          undone_by: operation_id,
          ...(wasWhole && { status: 'undone' }),
        });
      }
      earlier = found;
    }
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

  return {
    get,

    /** Applies several changes as one step. 409 while another operation runs in the project. */
    apply: (project: Project, request: ChangesetRequest): Promise<OperationReport> =>
      alone(project, request.label, async (operationId) => {
        const steps = planned(project, request.steps);
        const operation = await store(project, operationId, { ...request, steps, undoes: null });
        return run(project, operation, request.onProgress);
      }),

    /**
     * Takes an operation back as an operation of its own. What was changed since keeps that change where the two do not
     * overlap; where they do, the file is left and named. 409 for one that is undone already, 403 for an editor where a
     * template was changed.
     */
    undo: (
      project: Project,
      operationId: string,
      author: Author & { role: Role },
    ): Promise<OperationReport> =>
      alone(project, 'Undo', async (newOperationId) => {
        const target = await find(project, operationId);
        if (target.status === 'undone') {
          throw conflict(`'${target.label}' is undone already`, { code: 'undone_already' });
        }
        const changed = { kind: 'template', state: 'done' } as const;
        if (!roleAllows(author.role, 'admin') && (await hasSteps(project, operationId, changed))) {
          throw forbidden('It changed a template, so it takes the role admin to undo it');
        }
        const operation = await store(project, newOperationId, {
          kind: 'undo',
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

    /** Finishes what a crash left unfinished. Never throws: what cannot be finished now is tried again before the next operation. */
    recover(project: Project): Promise<void> {
      const recovery = finishOld(project).catch((error: unknown) => {
        // Another process runs it, or finishes what is left of it.
        if (error instanceof HttpError && error.extras.code === OPERATION_RUNNING) return;
        log.error(`an interrupted operation is not finished yet: ${messageOf(error)}`);
      });
      recoveries.set(keyOfProject(project), recovery);
      recovering.add(project, recovery);
      return recovery;
    },

    /** Resolves when `recover` has done what it can. */
    recovered: async (project: Project): Promise<void> => recoveries.get(keyOfProject(project)),

    /** Whether an operation runs here, or one is being finished. */
    isBusy: (project: Project): boolean => live.has(keyOfProject(project)) || recovering.isBusy(project),

    forget: (project: Project): void => void recoveries.delete(keyOfProject(project)),

    /** Leaves what is under way to the next start. */
    async stop(): Promise<void> {
      stopping.abort(unavailable('The service is stopping'));
      await recovering.idle();
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

const endOf = (skipped: number): OperationStatus => (skipped === 0 ? 'done' : 'partial');

const undoLabel = ({ kind, label }: OperationRow): string => {
  if (kind !== 'undo') return `Undo: ${label}`;
  return label.startsWith('Undo') ? label.replace('Undo', 'Redo') : label.replace('Redo', 'Undo');
};

async function* planned(
  project: Project,
  steps: Iterable<Step> | AsyncIterable<Step>,
): AsyncGenerator<PlannedStep> {
  for await (const step of steps) {
    const isThere = step.kind === 'asset' && (await project.files.stat(step.path)) !== undefined;
    yield {
      ...plannedStep(step),
      ...(isThere && { base_checksum: checksumOf(await project.files.read(step.path)) }),
    };
  }
}
