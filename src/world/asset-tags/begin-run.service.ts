import { type Clock, isoTime } from '../../kit/clock.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Images } from '../../platform/images/images.ts';
import { JobRefused } from '../../platform/jobs/handlers.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { type AssetRow, allLiveAssets, assetJob, liveAssetsOf } from '../assets/index.ts';
import { type AiCaller, type Asking, type Models, type Provider, showQuestion } from '../models/index.ts';
import type { ShownQuestion } from '../models/question.contract.ts';
import { type Project, scopeColumns } from '../records/index.ts';
import { TAG_KINDS } from './asset-tags.jobs.ts';
import { countRun, findRequests, findRun, putRequests, putRun } from './asset-tags.store.ts';
import type { TagDb } from './asset-tags.tables.ts';
import { type Measure, measuredAsset } from './measured-asset.ts';
import { tagQuestionOf } from './tag-question-of.ts';

/** Assets whose questions a dry run shows. The others are asked for by name. */
const MOST_SHOWN = 10;

export interface TagOrder {
  caller: AiCaller;
  /** All of the project if not given. */
  assetIds: readonly string[] | undefined;
  /** True: a model must be there. False: none is asked. By default one is asked if there is one. */
  ai: boolean | undefined;
  provider: string | undefined;
  maxCredits: number | undefined;
  /** Those too whose bytes were looked at already. */
  again: boolean;
}

export interface TagRunsOptions {
  models: Models;
  images: Images;
  jobs: Jobs;
  clock: Clock;
  measure: Measure;
  follow(project: Project): Promise<unknown>;
}

type Target = Pick<AssetRow, 'asset_id' | 'sha256'>;

/** Begins runs of tagging: each asset is a job of the assets' queue. */
export function createTagRuns({ models, images, jobs, clock, measure, follow }: TagRunsOptions) {
  async function providerOf({ caller, ai, provider }: TagOrder): Promise<Provider | null> {
    if (ai === false) return null;
    const isAsked = ai === true || provider !== undefined;
    if (!isAsked && (await models.state(caller)) !== 'ready') return null;
    return models.pick(caller, provider);
  }

  /** Assets that are named come as one part. */
  async function* targets(project: Project, ids: readonly string[] | undefined): AsyncGenerator<Target[]> {
    await follow(project);
    if (ids === undefined) yield* allLiveAssets(project);
    else yield await liveAssetsOf(project, ids);
  }

  /** Those that were not looked at in this way since their bytes changed. */
  async function due(
    project: Project,
    rows: readonly Target[],
    provider: Provider | null,
  ): Promise<Target[]> {
    const ids = rows.map(({ asset_id }) => asset_id);
    const known = await project.database.read((db: TagDb) => findRequests(db, project, ids));
    const model = provider?.address.model ?? null;
    const done = new Map(
      known
        .filter((each) => each.state === 'done' && each.model === model)
        .map((each) => [each.asset_id, each.sha256]),
    );
    return rows.filter(({ asset_id, sha256 }) => done.get(asset_id) !== sha256);
  }

  async function request(
    project: Project,
    runId: string,
    rows: readonly Target[],
    kind: string,
  ): Promise<void> {
    const requests = rows.map(({ asset_id }) => ({
      ...scopeColumns(project),
      asset_id,
      run_id: runId,
      state: 'waiting' as const,
      sha256: null,
      model: null,
      credits: 0,
      reason: null,
    }));
    await project.database.write((db: TagDb) => putRequests(project, db, requests));
    await jobs.add(rows.map(({ asset_id }) => assetJob(project, kind, asset_id)));
  }

  function requireLimit({ assetIds, maxCredits }: TagOrder, provider: Provider | null): void {
    if (assetIds !== undefined || maxCredits !== undefined || !provider?.costsCredits) return;
    throw invalid('Tagging all assets with a model costs credits: say with `max_credits` how many at most', {
      code: 'limit_needed',
    });
  }

  const missingOf = (ids: readonly string[] | undefined, found: ReadonlySet<string>): string[] =>
    [...new Set(ids)].filter((id) => !found.has(id));

  /** Null if the asset is gone or cannot be shown to a model. */
  async function shownQuestion(
    project: Project,
    asking: Asking,
    assetId: string,
  ): Promise<ShownQuestion | null> {
    const row = await measuredAsset(measure, project, assetId);
    if (row === undefined) return null;
    try {
      return showQuestion(asking, await tagQuestionOf(images, project, row, asking.provider));
    } catch (error) {
      if (error instanceof JobRefused) return null;
      throw error;
    }
  }

  return {
    async begin(project: Project, order: TagOrder) {
      const provider = await providerOf(order);
      requireLimit(order, provider);
      const run_id = newId();
      await project.database.write((db: TagDb) =>
        putRun(db, {
          ...scopeColumns(project),
          run_id,
          caller: JSON.stringify(order.caller),
          provider: provider?.name ?? null,
          max_credits: order.maxCredits ?? null,
          created_at: isoTime(clock.now()),
        }),
      );
      const found = new Set<string>();
      let queued = 0;
      for await (const rows of targets(project, order.assetIds)) {
        for (const { asset_id } of rows) found.add(asset_id);
        const wanted = order.again ? rows : await due(project, rows, provider);
        await request(project, run_id, wanted, provider === null ? TAG_KINDS.plain : TAG_KINDS.model);
        queued += wanted.length;
      }
      return {
        run_id,
        queued,
        skipped: found.size - queued,
        missing: missingOf(order.assetIds, found),
        ...namesOf(provider),
        questions: [],
      };
    },

    /** The questions of the first assets, and nothing queued. */
    async preview(project: Project, order: TagOrder) {
      const provider = await providerOf(order);
      const asking = provider && { models, caller: order.caller, provider };
      const questions: { asset_id: string; question: ShownQuestion }[] = [];
      const found = new Set<string>();
      for await (const rows of targets(project, order.assetIds)) {
        for (const { asset_id } of rows) {
          found.add(asset_id);
          if (asking === null || questions.length === MOST_SHOWN) continue;
          const question = await shownQuestion(project, asking, asset_id);
          if (question) questions.push({ asset_id, question });
        }
        if (asking === null || questions.length === MOST_SHOWN) break;
      }
      return {
        run_id: null,
        queued: 0,
        skipped: 0,
        missing: missingOf(order.assetIds, found),
        ...namesOf(provider),
        questions,
      };
    },

    /** How far a run is. 404 if there is none. */
    async progress(project: Project, runId: string) {
      const { run, counts } = await project.database.read(async (db: TagDb) => ({
        run: await findRun(db, project, runId),
        counts: await countRun(db, project, runId),
      }));
      if (run === undefined) throw notFound(`There is no run '${runId}'`, { code: 'no_such_run' });
      const { provider, max_credits, created_at } = run;
      return { run_id: runId, provider, max_credits, created_at, ...counts };
    },
  };
}

const namesOf = (provider: Provider | null) => ({
  provider: provider?.name ?? null,
  model: provider?.address.model ?? null,
});

export type TagRuns = ReturnType<typeof createTagRuns>;
