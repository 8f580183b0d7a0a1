import type { AskedTarget } from '../../../content/ai/index.ts';
import { type Clock, isoTime } from '../../../kit/clock.ts';
import { HttpError, messageOf } from '../../../kit/errors.ts';
import type { Log } from '../../../kit/log.ts';
import type { JobEnded, JobHandlers } from '../../../platform/jobs/handlers.ts';
import type { JobKey } from '../../../platform/jobs/jobs.ts';
import type { AiCaller, Models } from '../../models/index.ts';
import type { Projects } from '../../projects/index.ts';
import type { Proposals } from '../../proposals/index.ts';
import { findRowById, type Project, type RecordsDb } from '../../records/index.ts';
import type { createGather } from '../gather.ts';
import { type Prepared, prepare } from '../prepare.ts';
import type { Run } from '../run.ts';
import { type FillRequest, replyOf, tellProgress } from './fill.service.ts';
import { endFill, fillEntities, findFill, noteEntity } from './fill.store.ts';
import type { FillEntityRow, FillRow } from './fill.tables.ts';

export interface FillJobsOptions {
  projects: Projects;
  gather: ReturnType<typeof createGather>;
  run: Run;
  models: Models;
  proposals: Pick<Proposals, 'list'>;
  clock: Clock;
  log: Log;
}

/** Where nothing would help but another setting, the run stops: the next entity would fail too. */
const STOPPING: ReadonlySet<unknown> = new Set([
  'ai_off',
  'ai_not_configured',
  'ai_refused_key',
  'ai_unknown_model',
  'no_such_provider',
  'feature_unavailable',
  'too_many_proposals',
  'change_set_full',
]);
/** Nothing is wrong with an entity that has nothing to write. */
const SKIPPING: ReadonlySet<unknown> = new Set(['invalid_target', 'nothing_proposed']);

/** Of an entity whose workers ended each time before they had an answer. */
const NEVER_ENDED = 'The work on it was broken off each time: start another run for it';

interface Waiting {
  project: Project;
  fill: FillRow;
  entity: FillEntityRow;
}

type Filling = Waiting & { signal: AbortSignal };

type Outcome = Partial<Pick<FillEntityRow, 'state' | 'credits' | 'proposal_id' | 'detail'>>;

/** Asks for one entity of a run. A repeated job finds the proposal that an earlier one has stored. */
export function createFillJobs(options: FillJobsOptions): { handlers: JobHandlers; onEnded: JobEnded } {
  const { projects, proposals, clock, log } = options;
  const ask = createAsk(options);

  async function end(project: Project, fill: FillRow, status: 'done' | 'stopped', reason: string | null) {
    await endFill(project, fill.run_id, { status, reason, finished_at: isoTime(clock.now()) });
  }

  async function fillOne(filling: Filling): Promise<void> {
    const { project, fill, entity } = filling;
    const row = await project.database.read((db: RecordsDb) => findRowById(db, project, entity.row_id));
    if (row === undefined) {
      await noteEntity(project, entity, { state: 'skipped', reserved: 0, detail: 'it was deleted' });
      return;
    }
    const filter = {
      change_set_id: fill.change_set_id,
      entity_type: row.entity_type,
      entity_id: row.entity_id,
    };
    const [stored] = (await proposals.list(project, filter, { limit: 1, offset: 0 })).proposals;
    if (stored) {
      const { proposal_id, credits } = stored;
      await noteEntity(project, entity, { state: 'proposed', reserved: 0, proposal_id, credits });
      return;
    }
    let charged = 0;
    try {
      const outcome = await ask(filling, row.entity_id, (credits) => {
        charged = credits;
      });
      if (outcome !== null) await noteEntity(project, entity, { ...outcome, reserved: 0 });
      else await end(project, fill, 'stopped', `The limit of ${fill.max_credits} credits is reached`);
    } catch (error) {
      const isOver = await settleFailure(filling, error, charged);
      if (isOver) await end(project, fill, 'stopped', messageOf(error));
    }
  }

  /** Does the work on the entity of a job, if it waits for it; then ends the run if nothing of it waits any more. */
  const step = ({ tenantId, projectId, subject }: JobKey, work: (waiting: Waiting) => Promise<unknown>) =>
    projects.use(tenantId, projectId, async (project) => {
      const [runId = '', rowId] = subject.split('/');
      const fill = await findFill(project, runId);
      if (fill?.status !== 'running') return;
      const entity = (await fillEntities(project, runId)).find(({ row_id }) => row_id === Number(rowId));
      if (entity?.state === 'waiting') await work({ project, fill, entity });
      const entities = await fillEntities(project, runId);
      if (entities.every(({ state }) => state !== 'waiting')) await end(project, fill, 'done', null);
      const now = await findFill(project, runId);
      if (now) tellProgress(project, replyOf(now, entities), clock);
    });

  return {
    handlers: { fill: (job, signal) => step(job, (waiting) => fillOne({ ...waiting, signal })) },
    onEnded: async (job, outcome) => {
      if (outcome === 'done') return;
      await step(job, ({ project, entity }) =>
        noteEntity(project, entity, { state: 'failed', reserved: 0, detail: entity.detail ?? NEVER_ENDED }),
      ).catch((error) => log.warn(`a run keeps waiting for '${job.subject}': ${messageOf(error)}`));
    },
  };
}

/** True if the whole run is over. Throws what another attempt may do better. */
async function settleFailure(
  { project, entity }: Filling,
  error: unknown,
  charged: number,
): Promise<boolean> {
  // The cost of a useless answer counts towards the run's limit too; the words are told if no further attempt follows.
  const words = error instanceof HttpError ? { detail: error.message } : {};
  await noteEntity(project, entity, { reserved: 0, ...words, ...(charged > 0 && { credits: charged }) });
  if (!(error instanceof HttpError)) throw error;
  const { code } = error.extras;
  if (error.status === 402 || STOPPING.has(code)) return true;
  if (error.status >= 500 || error.status === 429) throw error;
  await noteEntity(project, entity, { state: SKIPPING.has(code) ? 'skipped' : 'failed' });
  return false;
}

const targetOf = ({ fields, placeholders }: FillRequest): AskedTarget =>
  placeholders ? { placeholders: true } : { fields: fields ?? 'empty', onlyEmpty: true };

/** Null if the run's limit does not allow it any more. */
function createAsk({ gather, run, models }: FillJobsOptions) {
  return async (
    filling: Filling,
    entityId: string,
    onCharged: (credits: number) => void,
  ): Promise<Outcome | null> => {
    const { project, fill, entity, signal } = filling;
    const request: FillRequest = JSON.parse(fill.request);
    const caller: AiCaller = JSON.parse(fill.caller);
    const provider = await models.pick(caller, request.provider);
    const gathered = await gather(project, caller, {
      entity_type: fill.entity_type,
      entity_id: entityId,
      target: targetOf(request),
      instruction: request.instruction,
      skills: request.skills,
      unknownVariables: request.unknownVariables,
      answers: [],
    });
    const prepared = prepare(gathered, provider);
    if (!(await reserved(filling, prepared, models))) return null;
    const origin = { kind: 'fill', parents: [], changeSetId: fill.change_set_id };
    // The same for every attempt: an answer that was paid for and lost is not paid for again.
    const operationId = `fill-${fill.run_id}-${entity.row_id}`;
    const job = { project, caller, send: async () => {}, signal, operationId, onCharged };
    const proposal = await run(job, prepared, origin);
    return { state: 'proposed', proposal_id: proposal.proposal_id, credits: proposal.credits };
  };
}

/** Within the limit of the run, together with what other entities of it hold back at the moment. */
const reserved = (
  { project, fill, entity }: Filling,
  { provider, mostTokens }: Prepared,
  models: Models,
): Promise<boolean> =>
  project.database.exclusive(`fill ${fill.run_id}`, async () => {
    const price = models.priceOf(provider, mostTokens);
    const others = (await fillEntities(project, fill.run_id)).filter(
      ({ row_id }) => row_id !== entity.row_id,
    );
    const taken = others.reduce((sum, { credits, reserved: held }) => sum + credits + held, 0);
    if (taken + price > fill.max_credits) return false;
    await noteEntity(project, entity, { reserved: price });
    return true;
  });
