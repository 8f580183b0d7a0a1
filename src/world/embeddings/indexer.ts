import { createHash } from 'node:crypto';
import { type Passage, passagesOf } from '../../content/passages/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import { lastSequence, type Project } from '../records/index.ts';
import { fileTextOf } from '../texts/index.ts';
import {
  changeIndex,
  entitiesWithVectors,
  findIndex,
  moveCursor,
  nextStep,
  removeOldVectors,
  removeVectorsOf,
  replaceEmbeddings,
  type SourceText,
  type Step,
  sourceTexts,
  startAnew,
  vectorsOf,
} from './embeddings.store.ts';
import type { EmbeddingIndexRow, EmbeddingRow, EmbeddingsDb } from './embeddings.tables.ts';
import { encodeVector, type StoredVector } from './vector-codec.ts';
import { callerFor, type VectorSource, type VectorSources } from './vector-source.ts';

interface IndexerOptions {
  sources: VectorSources;
  clock: Clock;
}

const ENTITIES_AT_ONCE = 8;
const REMOVED_AT_ONCE = 1_000;
/** Then other projects have a turn. */
const TURN_MS = 20_000;

/** The project's vectors were started anew, or another run has taken the step. */
class Overtaken extends Error {}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

interface Run {
  project: Project;
  index: EmbeddingIndexRow;
  source: VectorSource;
  signal: AbortSignal;
}

type Unnumbered = Omit<EmbeddingRow, 'number'>;

function rowOf(
  { project: { tenantId, projectId } }: Run,
  { row_id, entity_type, version }: SourceText,
  passage: Passage,
  { code, bytes }: StoredVector,
): Unnumbered {
  return {
    row_id,
    tenant_id: tenantId,
    project_id: projectId,
    entity_type,
    version,
    start_offset: passage.start,
    end_offset: passage.end,
    line_from: passage.lineFrom,
    line_to: passage.lineTo,
    text_hash: hashOf(passage.text),
    code,
    vector: bytes,
  };
}

/** Follows a project's entities, and keeps the vectors of their passages. Whatever was stored before a crash is not computed again. */
export function createIndexer({ sources, clock }: IndexerOptions) {
  const write = (project: Project, work: (db: EmbeddingsDb) => Promise<void>): Promise<void> =>
    // After a power cut the same is computed again: the cursor is never stored before the vectors.
    project.database.write(work, { durable: false });

  async function requireSame(db: EmbeddingsDb, { project, index }: Run): Promise<EmbeddingIndexRow> {
    const present = await findIndex(db, project);
    if (present?.from_number !== index.from_number) throw new Overtaken();
    return present;
  }

  /** Vectors by the hash of their texts, for all passages; only those of new texts are computed. */
  async function vectorsFor(run: Run, rowId: number, passages: readonly Passage[]) {
    const { project, index, source, signal } = run;
    const stored = await project.database.read((db: EmbeddingsDb) =>
      vectorsOf(db, project, [rowId], index.from_number),
    );
    const byHash = new Map<string, StoredVector>(
      stored.map(({ text_hash, code, vector }) => [text_hash, { code, bytes: vector }]),
    );
    const texts = new Map(passages.map(({ text }) => [hashOf(text), text]));
    const missing = [...texts].filter(([hash]) => !byHash.has(hash));
    if (missing.length === 0) return byHash;
    const caller = callerFor(index);
    const vectors = await source.embed({
      texts: missing.map(([, text]) => text),
      caller,
      urgent: false,
      signal,
    });
    await noteDimensions(run, vectors[0]?.length ?? 0);
    for (const [at, [hash]] of missing.entries()) {
      const vector = vectors[at];
      if (vector) byHash.set(hash, encodeVector(vector));
    }
    return byHash;
  }

  /** A provider may have put another model behind the same name. */
  async function noteDimensions({ project, index }: Run, dimensions: number): Promise<void> {
    if (index.dimensions === dimensions) return;
    const isFirst = index.dimensions === null;
    await write(project, (db) =>
      isFirst
        ? changeIndex(db, project, { dimensions })
        : startAnew(db, project.database.dialect, project, { dimensions }),
    );
    index.dimensions = dimensions;
    if (!isFirst) throw new Overtaken();
  }

  async function takeEntity(run: Run, text: SourceText): Promise<void> {
    const { project } = run;
    const passages = passagesOf(fileTextOf(text));
    const vectors = await vectorsFor(run, text.row_id, passages);
    const rows = passages.flatMap((passage) => {
      const vector = vectors.get(hashOf(passage.text));
      return vector ? [rowOf(run, text, passage, vector)] : [];
    });
    await write(project, async (db) => {
      const { last_number } = await requireSame(db, run);
      await changeIndex(db, project, { last_number: last_number + rows.length });
      const numbered = rows.map((row, at) => ({ ...row, number: last_number + at + 1 }));
      await replaceEmbeddings(db, project, [text.row_id], numbered);
    });
  }

  /** Vectors of entities that are gone. */
  async function sweep({ project, signal }: Run): Promise<void> {
    const pause = createPauses(signal);
    for (let after = 0; ; ) {
      const from = after;
      const rows = await project.database.read((db: EmbeddingsDb) =>
        entitiesWithVectors(db, project, from, REMOVED_AT_ONCE),
      );
      const gone = rows.filter(({ present }) => present === null).map(({ row_id }) => row_id);
      if (gone.length > 0) await write(project, (db) => removeVectorsOf(db, project, gone));
      if (rows.length < REMOVED_AT_ONCE) return;
      after = rows.at(-1)?.row_id ?? after;
      await pause();
    }
  }

  async function finishStep(run: Run, step: Step): Promise<void> {
    const { project } = run;
    await write(project, async (db) => {
      await requireSame(db, run);
      if (!(await moveCursor(db, project.database.dialect, project, step))) throw new Overtaken();
    });
  }

  /** True once everything that was there at the beginning of the last step is followed; false if its turn has ended before. */
  async function follow(run: Run): Promise<boolean> {
    const { project, signal } = run;
    const until = performance.now() + TURN_MS;
    let sweptUpTo = 0;
    for (;;) {
      signal.throwIfAborted();
      const step = await project.database.read((db: EmbeddingsDb) => nextStep(db, project, ENTITIES_AT_ONCE));
      if (step.upTo === step.cursor) return true;
      if (step.anyGone && step.upTo > sweptUpTo) {
        sweptUpTo = await project.database.read((db: EmbeddingsDb) => lastSequence(db, project));
        await sweep(run);
      }
      const texts = await project.database.read((db: EmbeddingsDb) => sourceTexts(db, project, step.rowIds));
      for (const text of texts) await takeEntity(run, text);
      await finishStep(run, step);
      if (step.isLast) return true;
      if (performance.now() > until) return false;
    }
  }

  /** In parts, since everybody writes in the meantime. */
  async function removeOld({ project, index, signal }: Omit<Run, 'source'>): Promise<void> {
    const pause = createPauses(signal);
    for (let removed = -1; removed !== 0; ) {
      await project.database.write(
        async (db: EmbeddingsDb) => {
          removed = await removeOldVectors(db, project, index.from_number, REMOVED_AT_ONCE);
        },
        { durable: false },
      );
      await pause();
    }
  }

  async function useModel(project: Project, index: EmbeddingIndexRow, { model }: VectorSource) {
    if (index.model === model) return index;
    await write(project, (db) =>
      startAnew(db, project.database.dialect, project, { model, dimensions: null }),
    );
    return project.database.read((db: EmbeddingsDb) => findIndex(db, project));
  }

  const noteProblem = (project: Project, problem: string | null): Promise<void> =>
    write(project, (db) => changeIndex(db, project, { problem, updated_at: isoTime(clock.now()) }));

  async function run(project: Project, found: EmbeddingIndexRow, signal: AbortSignal): Promise<boolean> {
    if (found.choice === 'off') {
      await removeOld({ project, index: found, signal });
      return true;
    }
    const source = await sources.sourceOf(found, callerFor(found));
    const index = await useModel(project, found, source);
    if (index === undefined) return true;
    const current = { project, index, source, signal };
    await removeOld(current);
    return follow(current);
  }

  /** Resolves to whether it has caught up; if not, it goes on with the next call. */
  return async (project: Project, signal: AbortSignal): Promise<boolean> => {
    const index = await project.database.read((db: EmbeddingsDb) => findIndex(db, project));
    if (index === undefined) return true;
    try {
      const isDone = await run(project, index, signal);
      if (index.problem !== null) await noteProblem(project, null);
      return isDone;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      if (!signal.aborted) await noteProblem(project, messageOf(error));
      throw error;
    }
  };
}

export type Indexer = ReturnType<typeof createIndexer>;
