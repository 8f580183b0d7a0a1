import { type Role, roleAllows } from '../../access/plans.ts';
import { isoTime } from '../../kit/clock.ts';
import { conflict, forbidden, messageOf } from '../../kit/errors.ts';
import type { Author } from '../entities/index.ts';
import type { Project } from '../records/index.ts';
import type { OperationRow } from './changesets.tables.ts';
import { inverseSteps } from './inverse-steps.ts';
import {
  type ChangesetRequest,
  type ChangesetsDependencies,
  createOperationRuns,
  type Live,
  labelOf,
  type Plan,
} from './operation-runs.ts';
import { deleteOperation, findOperation, listOperations, noteCancelling } from './operations.store.ts';
import type { OperationReport } from './report.ts';
import type { FollowStep } from './step-tools.ts';
import { hasSteps, listSteps, versionsToUndo } from './steps.store.ts';
import { planned } from './store-plan.ts';
import { type Answer, type HandOver, unlessLong } from './unless-long.ts';

export type Changesets = ReturnType<typeof createChangesets>;

const UNDO_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Changes several files as one operation that survives a crash and can be undone (README.md). */
export function createChangesets(dependencies: ChangesetsDependencies) {
  const { log } = dependencies;
  const followers: FollowStep[] = [];
  const { alone, store, run, find, report, get, isRunning, recover, keepOpen, isBusy, stop } =
    createOperationRuns({ ...dependencies, followers });

  return {
    /** Before any project opens. */
    onStep: (follow: FollowStep): void => void followers.push(follow),
    get,
    recover,
    isBusy,
    stop,

    /** Applies several changes as one operation. 409 while another operation runs in the project. */
    apply: (project: Project, request: ChangesetRequest): Promise<OperationReport> =>
      alone(project, labelOf(request), async (mine) => {
        const operation = await store(project, mine, planOf(project, request, mine));
        return run(project, operation, request.onProgress);
      }),

    /** The same, but null without a trace if nothing was to be done, unless a caller has the operation's id. */
    applyUnlessEmpty: (project: Project, request: ChangesetRequest): Promise<OperationReport | null> =>
      alone(project, labelOf(request), async (mine) => {
        const operation = await store(project, mine, planOf(project, request, mine));
        if (operation.total > 0 || mine.isPolled) return run(project, operation, request.onProgress);
        await deleteOperation(project, operation.operation_id);
        return null;
      }),

    /** True while an operation runs, or waits to be resumed. */
    async isUnfinished(project: Project, operationId: string): Promise<boolean> {
      const row = await findOperation(project, operationId);
      return row !== undefined && row.finished_at === null;
    },

    /** The result if the work ends within `waitMs`, else its operation; the work then continues and keeps the project open. */
    async unlessLong<Result>(
      project: Project,
      waitMs: number,
      work: (begun: (handOver: HandOver) => void) => Promise<Result>,
    ): Promise<Answer<Result>> {
      const begun = Promise.withResolvers<HandOver>();
      const running = work(begun.resolve);
      keepOpen(project, running);
      const answer = await unlessLong(waitMs, running, begun.promise);
      if ('operation' in answer)
        running.catch((error: unknown) => {
          log.warn(`'${answer.operation.label}' did not finish: ${messageOf(error)}`);
        });
      return answer;
    },

    /** Requests a stop. Applied steps stay and can be undone, the others are skipped. 409 if it is over or only useful as a whole. */
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
     * Undoes an operation by a new one. Where later edits overlap, the file is skipped and listed.
     * 409 if already undone, 403 for an editor if a template was changed.
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
          throw conflict(`'${target.label}' has already been undone`, { code: 'undone_already' });
        }
        const changed = { kind: 'template', state: 'done' } as const;
        if (!roleAllows(author.role, 'admin') && (await hasSteps(project, operationId, changed))) {
          throw forbidden('It changed a template, so undoing it needs the role admin');
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

    async list(project: Project, limit: number, offset: number) {
      const { total, rows } = await listOperations(project, limit, offset);
      const operations: OperationReport[] = [];
      for (const row of rows) operations.push(await report(project, row));
      return { total, operations };
    },

    /** An operation's steps in order. */
    steps: (project: Project, operationId: string, limit: number, offset: number) =>
      listSteps(project, operationId, { limit, offset }),

    neededVersions: (project: Project, rowIds: readonly number[], now: number) =>
      versionsToUndo(project, rowIds, isoTime(now - UNDO_DAYS * DAY_MS)),
  };
}

const planOf = (project: Project, request: ChangesetRequest, { operation_id }: Live): Plan => ({
  ...request,
  steps: planned(project, typeof request.steps === 'function' ? request.steps(operation_id) : request.steps),
  undoes: null,
});

const undoLabel = ({ kind, label }: OperationRow): string => {
  if (kind !== 'undo') return `Undo: ${label}`;
  return label.startsWith('Undo') ? label.replace('Undo', 'Redo') : label.replace('Redo', 'Undo');
};
