import { createPauses } from '../../kit/pauses.ts';
import type { ThreadClient } from '../../kit/thread-client.ts';
import { keyOfProject, type Project } from '../records/index.ts';
import type { PassageCodes } from './code-index.ts';
import type { CodeAnswer, CodeQuestion } from './code-thread.ts';
import { codesAfter, type PassageRow, passagesAt, vectorsAt } from './embeddings.store.ts';
import type { EmbeddingIndexRow, EmbeddingsDb } from './embeddings.tables.ts';
import { codeOf, similarity, wordsFor } from './vector-codec.ts';

export interface NearestQuery {
  vector: Float32Array;
  /** Passages. */
  limit: number;
  /** All if null. */
  types: readonly string[] | null;
  /** Row ids of entities to leave out. */
  without: readonly number[];
}

export interface NearPassage extends PassageRow {
  score: number;
}

/** Passages whose codes are nearest, and whose vectors are then compared: with 800, a twentieth of the nearest 20 is missed at most. */
const CANDIDATES = 800;
const ROWS_AT_ONCE = 4_000;

type CodeRow = Awaited<ReturnType<typeof codesAfter>>[number];

function packed(rows: readonly CodeRow[]): PassageCodes {
  const types = [...new Set(rows.map((row) => row.entity_type))];
  const size = rows[0]?.code.byteLength ?? 0;
  const codes = new Uint8Array(rows.length * size);
  for (const [at, row] of rows.entries()) codes.set(row.code, at * size);
  return {
    numbers: Float64Array.from(rows, (row) => row.number),
    rowIds: Float64Array.from(rows, (row) => row.row_id),
    typeNumbers: Uint16Array.from(rows, (row) => types.indexOf(row.entity_type)),
    types,
    codes,
  };
}

/** Without the passages of the last entity, which may go on in the next page. */
function withoutLast(rows: readonly CodeRow[]): readonly CodeRow[] {
  const last = rows.at(-1)?.row_id;
  const whole = rows.filter((row) => row.row_id !== last);
  return whole.length === 0 ? rows : whole;
}

/** Finds near passages: their codes in a thread's memory, then their vectors in the database. */
export function createNearest(thread: ThreadClient<CodeQuestion, CodeAnswer>) {
  const loading = new Map<string, Promise<void>>();

  async function ask(question: CodeQuestion): Promise<number> {
    const answer = await thread.ask(question);
    return 'upTo' in answer ? answer.upTo : 0;
  }

  /** Tells the thread what was stored since it was last told, by this process or another. */
  async function load(project: Project, index: EmbeddingIndexRow, key: string): Promise<void> {
    const pause = createPauses();
    let upTo = await ask({ type: 'known', key });
    for (;;) {
      const after = Math.max(upTo, index.from_number);
      const rows = await project.database.read((db: EmbeddingsDb) =>
        codesAfter(db, project, after, ROWS_AT_ONCE),
      );
      const isLast = rows.length < ROWS_AT_ONCE;
      const whole = isLast ? rows : withoutLast(rows);
      const last = whole.at(-1)?.number;
      if (last === undefined) return;
      const words = wordsFor(index.dimensions ?? 0);
      upTo = await ask({ type: 'add', key, words, from: upTo, upTo: last, passages: packed(whole) });
      if (isLast) return;
      await pause();
    }
  }

  async function loadOnce(project: Project, index: EmbeddingIndexRow, key: string): Promise<void> {
    // A running one may have passed what was stored since it began.
    await loading.get(key)?.catch(() => {});
    const shared = loading.get(key);
    if (shared) return shared;
    const run = load(project, index, key);
    loading.set(key, run);
    return run.finally(() => loading.delete(key));
  }

  return async (project: Project, index: EmbeddingIndexRow, query: NearestQuery): Promise<NearPassage[]> => {
    const { vector, limit, types, without } = query;
    const key = `${keyOfProject(project)}\n${index.from_number}`;
    await loadOnce(project, index, key);
    const code = codeOf(vector);
    const found = await thread.ask({ type: 'search', key, code, limit: CANDIDATES, types, without });
    const candidates = 'numbers' in found ? [...found.numbers] : [];
    const vectors = await project.database.read((db: EmbeddingsDb) => vectorsAt(db, project, candidates));
    const scored = vectors.map((row) => ({ number: row.number, score: similarity(vector, row.vector) }));
    scored.sort((one, other) => other.score - one.score || one.number - other.number);
    const scores = new Map(scored.slice(0, limit).map(({ number, score }) => [number, score]));
    const rows = await project.database.read((db: EmbeddingsDb) =>
      passagesAt(db, project, [...scores.keys()]),
    );
    return rows
      .map((row) => ({ ...row, score: scores.get(row.number) ?? 0 }))
      .sort((one, other) => other.score - one.score || one.number - other.number);
  };
}

export type Nearest = ReturnType<typeof createNearest>;
