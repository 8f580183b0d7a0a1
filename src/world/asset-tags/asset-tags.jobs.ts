import { answeredTags } from '../../content/ai/index.ts';
import { plainTags, type TagSuggestion } from '../../content/assets/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import type { Images } from '../../platform/images/images.ts';
import { type JobHandlers, JobRefused } from '../../platform/jobs/handlers.ts';
import type { AssetRow } from '../assets/index.ts';
import { type AiCaller, askQuestion, type Models, mostTokensOf } from '../models/index.ts';
import type { Projects } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { changeRequest, countRun, findRequests, findRun, replacePending } from './asset-tags.store.ts';
import type { TagDb, TagRequestsTable, TagRunsTable } from './asset-tags.tables.ts';
import type { Decisions } from './decisions.service.ts';
import { type Measure, measuredAsset } from './measured-asset.ts';
import { describedFile, tagQuestionOf } from './tag-question-of.ts';

/** The kinds of jobs, without and with a model. */
export const TAG_KINDS = { plain: 'tags', model: 'ai_tags' } as const;

/** From this confidence on a project with `auto_accept` accepts what a model suggests. */
const SURE = 0.8;

export interface TagJobsOptions {
  projects: Projects;
  models: Models;
  images: Images;
  decisions: Decisions;
  measure: Measure;
  autoAccepts(project: Project): Promise<boolean>;
  clock: Clock;
}

interface Work {
  row: AssetRow;
  request: TagRequestsTable;
  run: TagRunsTable;
}

function plainTagsOf(row: AssetRow): TagSuggestion[] {
  const { facts, tags } = describedFile(row);
  return plainTags({ ...row, media: facts }).filter(({ tag }) => !tags.includes(tag));
}

/** Handlers for suggesting tags. What was asked of a model and not yet stored when a worker dies is asked again. */
export function createTagJobs(options: TagJobsOptions): JobHandlers {
  const { projects, models, images, decisions, measure, autoAccepts, clock } = options;

  /** With the bytes measured; null if there is nothing left to do. */
  async function workOf(project: Project, assetId: string): Promise<Work | null> {
    const asked = await project.database.read(async (db: TagDb) => {
      const [request] = await findRequests(db, project, [assetId]);
      const run = request && (await findRun(db, project, request.run_id));
      return request?.state === 'waiting' && run ? { request, run } : null;
    });
    const row = asked && (await measuredAsset(measure, project, assetId));
    return asked && row ? { ...asked, row } : null;
  }

  /** Within the run's limit of credits, which all its jobs share. */
  const hold = (project: Project, { request, run }: Work, price: number): Promise<boolean> =>
    project.database.exclusive(`tags ${run.run_id}`, () =>
      project.database.write(async (db: TagDb) => {
        const { credits } = await countRun(db, project, run.run_id);
        const spent = credits - request.credits;
        const fits = run.max_credits === null || spent + price <= run.max_credits;
        const reason = `the run may cost ${run.max_credits} credits`;
        await changeRequest(db, project, request, fits ? { credits: price } : { state: 'skipped', reason });
        return fits;
      }),
    );

  async function keep(project: Project, work: Work, found: readonly TagSuggestion[], model: ModelUse | null) {
    const { asset_id, sha256 } = work.row;
    const created_at = isoTime(clock.now());
    const rows = found.map(({ tag, confidence, origin }) => ({
      asset_id,
      tag,
      origin,
      created_at,
      confidence: Math.round(confidence * 1_000),
      provider: origin === 'model' ? work.run.provider : null,
      model: origin === 'model' ? (model?.name ?? null) : null,
      status: 'pending' as const,
      decided_at: null,
      decided_by: null,
    }));
    await project.database.write(async (db: TagDb) => {
      await replacePending(project, db, asset_id, rows);
      await changeRequest(db, project, work.request, {
        state: 'done',
        sha256,
        model: model?.name ?? null,
        credits: model?.credits ?? 0,
        reason: null,
      });
    });
  }

  async function accept(project: Project, assetId: string): Promise<void> {
    if (!(await autoAccepts(project))) return;
    const { suggestions } = await decisions.list(project, assetId);
    const sure = suggestions.filter(
      ({ status, origin, confidence }) => status === 'pending' && origin === 'model' && confidence >= SURE,
    );
    await decisions.settle(
      project,
      assetId,
      sure.map(({ tag }) => tag),
      { status: 'accepted', by: null },
    );
  }

  async function ask(project: Project, work: Work, signal: AbortSignal): Promise<void> {
    const caller = JSON.parse(work.run.caller) as AiCaller;
    const provider = await models.pick(caller, work.run.provider ?? undefined);
    const question = await tagQuestionOf(images, project, work.row, provider);
    const price = models.priceOf(provider, mostTokensOf(question));
    if (!(await hold(project, work, price))) return;
    const asking = { models, caller, provider };
    const { value, problems, used } = await askQuestion(asking, question, { kind: 'ai_auto_tag', signal });
    if (value === null) throw new JobRefused(`The model's answer cannot be used: ${problems.join('; ')}`);
    const found = answeredTags(value, describedFile(work.row));
    const known = new Set(found.map(({ tag }) => tag));
    const plain = plainTagsOf(work.row).filter(({ tag }) => !known.has(tag));
    await keep(project, work, [...found, ...plain], { name: used.model, credits: used.credits });
    await accept(project, work.row.asset_id);
  }

  return {
    [TAG_KINDS.plain]: ({ tenantId, projectId, subject }) =>
      projects.use(tenantId, projectId, async (project) => {
        const work = await workOf(project, subject);
        if (work) await keep(project, work, plainTagsOf(work.row), null);
      }),
    [TAG_KINDS.model]: ({ tenantId, projectId, subject }, signal) =>
      projects.use(tenantId, projectId, async (project) => {
        const work = await workOf(project, subject);
        if (work) await ask(project, work, signal).catch(refuseForGood);
      }),
  };
}

interface ModelUse {
  name: string;
  credits: number;
}

/** Refuses the job for an error that another try does not mend: no credits, a wrong key, an unknown model. */
function refuseForGood(error: unknown): never {
  if (error instanceof HttpError && error.status < 429) throw new JobRefused(error.message, { cause: error });
  throw error;
}
