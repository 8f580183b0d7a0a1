import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import type { Images } from '../../platform/images/images.ts';
import { JobRefused } from '../../platform/jobs/handlers.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { type AssetRow, assetJob, findAssetsBy, listLiveAssets } from '../assets/index.ts';
import { type AiCaller, type Models, type Provider, showQuestion } from '../models/index.ts';
import { type Project, scopeColumns } from '../records/index.ts';
import { TAG_KINDS } from './asset-tags.jobs.ts';
import { countRun, findRequests, findRun, putRequests, putRun } from './asset-tags.store.ts';
import type { TagDb } from './asset-tags.tables.ts';
import { type Measure, measuredAsset } from './measured-asset.ts';
import { tagQuestionOf } from './tag-question-of.ts';

/** Assets whose questions a dry run shows. The others are asked for by name. */
const MOST_SHOWN = 10;
const STEP = 500;

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

  async function* targets(project: Project, ids: readonly string[] | undefined): AsyncGenerator<AssetRow[]> {
    await follow(project);
    const read = (wanted: readonly string[]) =>
      project.database.read((db: TagDb) => findAssetsBy(db, project, 'asset_id', wanted));
    if (ids !== undefined) {
      yield (await read([...new Set(ids)])).filter(({ gone_at }) => gone_at === null);
      return;
    }
    for (let after = ''; ; ) {
      const from = after;
      const page = await project.database.read((db: TagDb) => listLiveAssets(db, project, from, STEP));
      yield await read(page.map(({ asset_id }) => asset_id));
      const last = page.at(-1);
      if (page.length < STEP || last === undefined) return;
      after = last.path;
    }
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
      ...{ ...scopeColumns(project), asset_id, run_id: runId, state: 'waiting' as const },
      ...{ sha256: null, model: null, credits: 0, reason: null },
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

  return {
    async begin(project: Project, order: TagOrder) {
      const provider = await providerOf(order);
      requireLimit(order, provider);
      const run_id = randomUUID();
      await project.database.write((db: TagDb) =>
        putRun(db, {
          ...{ ...scopeColumns(project), run_id, caller: JSON.stringify(order.caller) },
          ...{ provider: provider?.name ?? null, max_credits: order.maxCredits ?? null },
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
        ...{ run_id, queued, skipped: found.size - queued, missing: missingOf(order.assetIds, found) },
        ...{ provider: provider?.name ?? null, model: provider?.address.model ?? null, questions: [] },
      };
    },

    /** The questions of the first assets, and nothing queued. */
    async preview(project: Project, order: TagOrder) {
      const provider = await providerOf(order);
      const questions = [];
      const found = new Set<string>();
      for await (const rows of targets(project, order.assetIds)) {
        for (const each of rows) {
          found.add(each.asset_id);
          if (provider === null || questions.length === MOST_SHOWN) continue;
          const row = await measuredAsset(measure, project, each);
          if (row === undefined) continue;
          const asking = { models, caller: order.caller, provider };
          try {
            const question = showQuestion(asking, await tagQuestionOf(images, project, row, provider));
            questions.push({ asset_id: row.asset_id, question });
          } catch (error) {
            if (!(error instanceof JobRefused)) throw error;
          }
        }
      }
      return {
        ...{ run_id: null, queued: 0, skipped: 0, missing: missingOf(order.assetIds, found), questions },
        ...{ provider: provider?.name ?? null, model: provider?.address.model ?? null },
      };
    },

    /** How far a run is. 404 if there is none. */
    async progress(project: Project, runId: string) {
      const { run, counts } = await project.database.read(async (db: TagDb) => ({
        run: await findRun(db, project, runId),
        counts: await countRun(db, project, runId),
      }));
      if (run === undefined) throw notFound(`There is no run '${runId}'`, { code: 'no_such_run' });
      const of = (state: string) => Number(counts.find((each) => each.state === state)?.count ?? 0);
      return {
        ...{
          run_id: runId,
          provider: run.provider,
          max_credits: run.max_credits,
          created_at: run.created_at,
        },
        ...{ waiting: of('waiting'), done: of('done'), skipped: of('skipped') },
        credits: counts.reduce((sum, { credits }) => sum + Number(credits), 0),
      };
    },
  };
}

export type TagRuns = ReturnType<typeof createTagRuns>;
