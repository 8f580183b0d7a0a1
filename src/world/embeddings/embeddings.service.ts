import { PERMISSIONS, roleAllows } from '../../access/plans.ts';
import { passagesOfText } from '../../content/passages/index.ts';
import { searchTokens } from '../../content/search-text.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { forbidden, invalidField } from '../../kit/errors.ts';
import { callerOf } from '../../kit/principal.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { type AiCaller, aiCallerOf } from '../models/index.ts';
import { countEntities, type EntityRow, type Project } from '../records/index.ts';
import { followJob } from './embeddings.jobs.ts';
import {
  changeIndex,
  countPassages,
  countPending,
  findIndex,
  isBehind,
  putIndex,
  startAnew,
  vectorsOf,
} from './embeddings.store.ts';
import type { EmbeddingIndexRow, EmbeddingsDb } from './embeddings.tables.ts';
import { bestOfEach, type FoundEntity, foundEntity, textAt } from './found-passage.ts';
import type { Nearest, NearPassage } from './nearest.service.ts';
import { decodeVector, middleOf } from './vector-codec.ts';
import type { VectorSources } from './vector-source.ts';

export interface EmbeddingsOptions {
  sources: VectorSources;
  nearest: Nearest;
  templates: TemplateRegistry;
  jobs: Jobs;
  clock: Clock;
}

export interface IndexProgress {
  state: 'indexing' | 'ready' | 'failed';
  done: number;
  total: number;
  problem: string | null;
}

/** Results among the passages that are known so far. */
export interface Findings<Item> {
  items: Item[];
  index: IndexProgress;
}

export interface Choice {
  use: 'local' | 'provider' | 'off';
  provider?: string | undefined;
}

type AskedBy = Parameters<typeof aiCallerOf>[0] & Parameters<typeof callerOf>[0];

export interface SearchOptions {
  caller: AiCaller;
  limit: number;
  types: readonly string[] | null;
  signal: AbortSignal;
}

/** An entity may have several passages among the nearest. */
const PASSAGES_PER_ENTITY = 5;
/** Parts of a selection that are compared, from its beginning. */
const MOST_PARTS = 8;

/** Comparing texts of a project by their meaning. The first use of it has the project indexed. */
export function createEmbeddings({ sources, nearest, templates, jobs, clock }: EmbeddingsOptions) {
  const indexOf = (project: Project): Promise<EmbeddingIndexRow | undefined> =>
    project.database.read((db: EmbeddingsDb) => findIndex(db, project));

  const requestRun = (project: Project): Promise<void> => jobs.add([followJob(project)]);

  async function newIndex(project: Project): Promise<EmbeddingIndexRow> {
    const { tenantId, projectId } = project;
    const row: EmbeddingIndexRow = {
      tenant_id: tenantId,
      project_id: projectId,
      choice: 'local',
      provider: null,
      chosen_by: null,
      chosen_plan: null,
      model: null,
      dimensions: null,
      last_number: 0,
      from_number: 0,
      problem: null,
      updated_at: isoTime(clock.now()),
    };
    await project.database.write((db: EmbeddingsDb) => putIndex(db, project.database.dialect, row));
    return (await indexOf(project)) ?? row;
  }

  const existingIndex = async (project: Project): Promise<EmbeddingIndexRow> =>
    (await indexOf(project)) ?? newIndex(project);

  async function progressOf(project: Project, index: EmbeddingIndexRow): Promise<IndexProgress> {
    return project.database.read(async (db: EmbeddingsDb) => {
      const total = await countEntities(db, project);
      const isReady = index.model !== null && !(await isBehind(db, project));
      const pending = isReady ? 0 : Math.min(total, await countPending(db, project));
      const state = isReady ? 'ready' : index.problem === null ? 'indexing' : 'failed';
      return { state, done: total - pending, total, problem: index.problem };
    });
  }

  /** 409 if it is switched off. Has what is missing computed in the background. */
  async function openIndex(project: Project, caller: AiCaller) {
    const index = await existingIndex(project);
    const source = await sources.sourceOf(index, caller);
    const progress = await progressOf(project, index);
    if (progress.state !== 'ready') await requestRun(project);
    return { index, source, progress };
  }

  /** Types without a template are hidden, as everywhere. */
  async function visibleTypes(project: Project, types: readonly string[] | null): Promise<string[]> {
    const known = [...(await templates.of(project)).types.keys()];
    if (types === null) return known;
    for (const type of types)
      if (!known.includes(type)) throw invalidField('types', `names '${type}', which is no entity type`);
    return [...types];
  }

  async function near(
    project: Project,
    texts: readonly string[],
    options: SearchOptions & { without: readonly number[]; passages: number },
  ) {
    const { caller, signal, without, passages } = options;
    const { index, source, progress } = await openIndex(project, caller);
    const types = await visibleTypes(project, options.types);
    if (index.dimensions === null || texts.length === 0) return { rows: [], index: progress };
    const vectors = await source.embed({ texts, caller, urgent: true, signal });
    const found = await Promise.all(
      vectors.map((vector) => nearest(project, index, { vector, limit: passages, types, without })),
    );
    return { rows: bestOfPassages(found.flat()), index: progress };
  }

  async function search(
    project: Project,
    text: string,
    options: SearchOptions,
  ): Promise<Findings<FoundEntity>> {
    const passages = options.limit * PASSAGES_PER_ENTITY;
    const { rows, index } = await near(project, [text], { ...options, without: [], passages });
    return { items: bestOfEach(rows, options.limit), index };
  }

  async function similar(
    project: Project,
    row: EntityRow,
    options: SearchOptions,
  ): Promise<Findings<FoundEntity>> {
    const { index, progress } = await openIndex(project, options.caller);
    const types = await visibleTypes(project, options.types);
    const own = await project.database.read((db: EmbeddingsDb) =>
      vectorsOf(db, project, [row.row_id], index.from_number),
    );
    if (own.length === 0) return { items: [], index: progress };
    const vector = middleOf(own.map((each) => decodeVector(each.vector)));
    const rows = await nearest(project, index, {
      vector,
      limit: options.limit * PASSAGES_PER_ENTITY,
      types,
      without: [row.row_id],
    });
    return { items: bestOfEach(rows, options.limit), index: progress };
  }

  /** Passages that say the same as a text, or nearly. */
  async function saidBefore(
    project: Project,
    text: string,
    options: Omit<SearchOptions, 'types'> & { exclude: number | null },
  ) {
    const parts = passagesOfText(text).slice(0, MOST_PARTS);
    const without = options.exclude === null ? [] : [options.exclude];
    const { rows, index } = await near(project, parts, {
      ...options,
      types: null,
      without,
      passages: options.limit,
    });
    const items = rows.slice(0, options.limit).map((row) => ({
      ...foundEntity(row),
      exact: repeats(textAt(row) ?? '', text),
    }));
    return { items, index };
  }

  async function choose(project: Project, { use, provider = '' }: Choice, caller: AiCaller): Promise<void> {
    const chosen = {
      choice: use,
      provider: use === 'provider' ? provider : null,
      chosen_by: caller.userId,
      chosen_plan: caller.plan,
    };
    if (use === 'provider' && !(await sources.providersFor(caller)).some(({ name }) => name === provider))
      throw invalidField(
        'provider',
        `'${provider}' is no provider of the tenant or installation with a model for embeddings`,
      );
    const index = await existingIndex(project);
    const isSame = index.choice === use && index.provider === chosen.provider;
    const change = { ...chosen, problem: null, updated_at: isoTime(clock.now()) };
    await project.database.write((db: EmbeddingsDb) =>
      isSame
        ? changeIndex(db, project, change)
        : startAnew(db, project.database.dialect, project, { ...change, model: null, dimensions: null }),
    );
    await jobs.cancel([followJob(project)]);
    await requestRun(project);
  }

  async function status(project: Project, caller: AiCaller) {
    await sources.requireOn(caller);
    const index = await indexOf(project);
    const progress = index && index.choice !== 'off' ? await progressOf(project, index) : null;
    const passages = await project.database.read((db: EmbeddingsDb) =>
      countPassages(db, project, index?.from_number ?? 0),
    );
    return { index: index ?? null, progress, passages, providers: await sources.providersFor(caller) };
  }

  return {
    search,
    similar,
    saidBefore,
    choose,
    status,
    requestRun,
    /** Searching costs nothing with the installation's own model; viewers spend nobody's credits. */
    async requireAllowed(project: Project, request: AskedBy): Promise<void> {
      if (roleAllows(callerOf(request).role, PERMISSIONS.use_ai)) return;
      const index = await indexOf(project);
      if (index?.choice !== 'provider') return;
      const { costsCredits } = await sources.sourceOf(index, aiCallerOf(request));
      if (costsCredits)
        throw forbidden('The model of this project costs credits, which viewers cannot spend: ask an editor');
    },
  };
}

/** A passage that is near to several texts counts once, with its best score. */
function bestOfPassages(rows: readonly NearPassage[]): NearPassage[] {
  const best = new Map<number, NearPassage>();
  for (const row of rows) if (row.score > (best.get(row.number)?.score ?? -1)) best.set(row.number, row);
  return [...best.values()].sort((one, other) => other.score - one.score || one.number - other.number);
}

const folded = (text: string): string => ` ${searchTokens(text).join(' ')} `;

/** Word for word, whatever the case, the punctuation and the markup. */
function repeats(passage: string, text: string): boolean {
  const [one, other] = [folded(passage), folded(text)];
  return one.trim() !== '' && (one.includes(other) || other.includes(one));
}

export type Embeddings = ReturnType<typeof createEmbeddings>;
