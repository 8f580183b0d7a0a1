import type { AskedTarget } from '../../../content/ai/index.ts';
import { type Clock, isoTime } from '../../../kit/clock.ts';
import { conflict, invalid, notFound } from '../../../kit/errors.ts';
import { newId } from '../../../kit/ids.ts';
import type { JobKey, Jobs } from '../../../platform/jobs/jobs.ts';
import type { AiCaller, Models } from '../../models/index.ts';
import type { ChangeSets } from '../../proposals/index.ts';
import type { Project } from '../../records/index.ts';
import type { createGather, Wish } from '../gather.ts';
import { type FillBody, type FillReply, MOST_ENTITIES } from './fill.contract.ts';
import { fillProgress } from './fill.events.ts';
import { endFill, fillEntities, findFill, insertFill, rowIdsOfType, runningFills } from './fill.store.ts';
import type { FillEntityRow, FillRow } from './fill.tables.ts';

export const FILL_QUEUE = 'ai';
const MOST_SHOWN_FAILURES = 20;

/** The wish that is the same for each entity of a run. */
export interface FillRequest extends Pick<Wish, 'instruction' | 'skills' | 'unknownVariables'> {
  fields: readonly string[] | null;
  placeholders: boolean;
  provider: string;
}

export interface FillsOptions {
  models: Models;
  gather: ReturnType<typeof createGather>;
  changeSets: Pick<ChangeSets, 'open'>;
  jobs: Jobs;
  clock: Clock;
}

/** One job for each entity of a run, so that none is asked about by two workers at a time. */
const fillJob = ({ tenantId, projectId }: Project, runId: string, rowId: number): JobKey => ({
  tenantId,
  projectId,
  queue: FILL_QUEUE,
  kind: 'fill',
  subject: `${runId}/${rowId}`,
});

const isOpen = ({ state }: FillEntityRow): boolean => state === 'waiting';

export function replyOf(fill: FillRow, entities: readonly FillEntityRow[]): FillReply {
  const count = (state: FillEntityRow['state']) => entities.filter((entity) => entity.state === state).length;
  const failed = entities.filter(({ state }) => state === 'failed');
  return {
    run_id: fill.run_id,
    change_set_id: fill.change_set_id,
    entity_type: fill.entity_type,
    status: fill.status,
    reason: fill.reason,
    total: entities.length,
    done: entities.length - count('waiting'),
    proposed: count('proposed'),
    skipped: count('skipped'),
    failed: failed.length,
    credits: entities.reduce((sum, { credits }) => sum + credits, 0),
    max_credits: fill.max_credits,
    failures: failed.slice(0, MOST_SHOWN_FAILURES).map(({ detail }) => ({ detail: detail ?? '' })),
    proposals: entities.flatMap(({ proposal_id: id }) => id ?? []),
    created_by: fill.created_by,
    started_at: fill.started_at,
    finished_at: fill.finished_at,
  };
}

/** Tells whoever watches how far a run is. */
export function tellProgress(
  project: Project,
  { run_id, entity_type, status, done, total, credits }: FillReply,
  clock: Clock,
): void {
  const timestamp = isoTime(clock.now());
  project.bus.publish(project, fillProgress, {
    run_id,
    entity_type,
    status,
    done,
    total,
    credits,
    timestamp,
  });
}

/** Runs that have the empty fields of many entities proposed (README.md). */
export function createFills({ models, gather, changeSets, jobs, clock }: FillsOptions) {
  async function get(project: Project, runId: string): Promise<FillReply> {
    const fill = await findFill(project, runId);
    if (fill === undefined) throw notFound('There is no such run', { code: 'no_such_fill' });
    return replyOf(fill, await fillEntities(project, runId));
  }

  /** Asking again changes nothing: a job finds out by itself what is left to do. */
  async function addJobs(project: Project, runId: string): Promise<void> {
    const left = (await fillEntities(project, runId)).filter(isOpen);
    await jobs.add(left.map(({ row_id }) => fillJob(project, runId, row_id)));
  }

  async function rowsOf(
    project: Project,
    { entity_type, entity_ids: ids, filter }: FillBody,
  ): Promise<number[]> {
    if (ids !== undefined && filter !== undefined)
      throw invalid('Name entities or a filter, not both', { code: 'invalid_fill' });
    const found = await rowIdsOfType(
      project,
      { entity_type, status: filter?.status, ids },
      MOST_ENTITIES + 1,
    );
    const missing = ids?.find((id) => !found.some(({ entity_id }) => entity_id === id));
    if (missing !== undefined)
      throw notFound(`There is no ${entity_type} '${missing}'`, { code: 'no_such_entity' });
    if (found.length === 0) throw conflict(`There is no ${entity_type} to fill`, { code: 'nothing_to_fill' });
    if (found.length <= MOST_ENTITIES) return found.map(({ row_id }) => row_id);
    throw invalid(`A run takes at most ${MOST_ENTITIES} entities: name them, or filter`, {
      code: 'too_many_entities',
    });
  }

  return {
    get,
    addJobs,

    async start(project: Project, caller: AiCaller, body: FillBody): Promise<FillReply> {
      const { name: provider } = await models.pick(caller, body.provider);
      const request: FillRequest = {
        provider,
        fields: body.fields ?? null,
        placeholders: body.placeholders ?? false,
        instruction: body.instruction ?? null,
        skills: body.skills,
        unknownVariables: body.unknown_variables ?? 'skip',
      };
      const named: AskedTarget = body.fields === undefined ? {} : { fields: body.fields };
      // Refuses a wish that could not be asked for.
      await gather(project, caller, {
        ...request,
        entity_type: body.entity_type,
        entity_id: null,
        target: named,
        answers: [],
      });
      const rowIds = await rowsOf(project, body);
      const title = `${rowIds.length} of the type ${body.entity_type}: ${request.placeholders ? 'placeholders' : 'empty fields'}`;
      const set = await changeSets.open(project, caller.userId, { title, agent: null });
      const fill: FillRow = {
        run_id: newId(),
        tenant_id: project.tenantId,
        project_id: project.projectId,
        change_set_id: set.change_set_id,
        entity_type: body.entity_type,
        status: 'running',
        request: JSON.stringify(request),
        caller: JSON.stringify(caller),
        max_credits: body.max_credits,
        reason: null,
        created_by: caller.userId,
        started_at: isoTime(clock.now()),
        finished_at: null,
      };
      await insertFill(project, fill, rowIds);
      await addJobs(project, fill.run_id);
      return get(project, fill.run_id);
    },

    async cancel(project: Project, runId: string): Promise<FillReply> {
      const before = await fillEntities(project, runId);
      await endFill(project, runId, { status: 'cancelled', reason: null, finished_at: isoTime(clock.now()) });
      await jobs.cancel(before.filter(isOpen).map(({ row_id }) => fillJob(project, runId, row_id)));
      const reply = await get(project, runId);
      tellProgress(project, reply, clock);
      return reply;
    },

    /** After a crash between the rows of a run and its jobs. */
    async resume(project: Project): Promise<void> {
      for (const { run_id } of await runningFills(project)) await addJobs(project, run_id);
    },
  };
}

export type Fills = ReturnType<typeof createFills>;
