import { join } from 'node:path';
import { createThreadClient } from '../src/kit/thread-client.ts';
import { openSqlite } from '../src/platform/database/adapters/sqlite-database.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { CodeAnswer, CodeQuestion } from '../src/world/embeddings/code-thread.ts';
import { replaceEmbeddings, vectorsAt } from '../src/world/embeddings/embeddings.store.ts';
import {
  type EmbeddingRow,
  type EmbeddingsDb,
  embeddingMigrations,
} from '../src/world/embeddings/embeddings.tables.ts';
import { codeOf, encodeVector, similarity, wordsFor } from '../src/world/embeddings/vector-codec.ts';
import { freshFolder } from './support/fresh-folder.ts';
import type { Result } from './support/report.ts';
import { median } from './support/rounds.ts';

const PASSAGES = 100_000;
const DIMENSIONS = 512;
const CLUSTERS = 500;
const QUERIES = 40;
const CANDIDATES = 800;
const NEAREST = 20;
const ROWS_AT_ONCE = 1_000;
const SCOPE = { tenantId: 'local', projectId: 'default' };
const KEY = 'bench';
const MOST_MS = 60;
const LEAST_RECALL = 0.95;

/** The same in each run, from -0.5 to 0.5. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

const random = createNumbers(1);
const near = (centre: Float32Array, spread: number): Float32Array =>
  Float32Array.from(centre, (value) => value + spread * random());

const rowOf = (vector: Float32Array, at: number): EmbeddingRow => {
  const { code, bytes } = encodeVector(vector);
  return {
    row_id: at + 1,
    number: at + 1,
    tenant_id: SCOPE.tenantId,
    project_id: SCOPE.projectId,
    entity_type: 'character',
    version: 1,
    start_offset: 0,
    end_offset: 400,
    line_from: 1,
    line_to: 9,
    text_hash: 'abcdefghijklmnopqrstuv',
    code,
    vector: bytes,
  };
};

function openThread() {
  const script = new URL('../src/world/embeddings/code-thread.worker.ts', import.meta.url);
  return createThreadClient<CodeQuestion, CodeAnswer>({ script, idleMs: 600_000, mostMegabytes: 256 });
}

type Thread = ReturnType<typeof openThread>;

async function store(database: Database, thread: Thread, vectors: readonly Float32Array[]): Promise<void> {
  const words = wordsFor(DIMENSIONS);
  for (let from = 0; from < vectors.length; from += ROWS_AT_ONCE) {
    const rows = vectors.slice(from, from + ROWS_AT_ONCE).map((vector, at) => rowOf(vector, from + at));
    await database.tenant(SCOPE.tenantId).write((db: EmbeddingsDb) => replaceEmbeddings(db, SCOPE, [], rows));
    const codes = new Uint8Array(rows.length * words * 4);
    for (const [at, row] of rows.entries()) codes.set(row.code, at * words * 4);
    const numbers = Float64Array.from(rows, (row) => row.number);
    const typeNumbers = new Uint16Array(rows.length);
    const passages = { numbers, rowIds: numbers.slice(), typeNumbers, types: ['character'], codes };
    await thread.ask({ type: 'add', key: KEY, words, from, upTo: from + rows.length, passages });
  }
}

const best = (scored: { number: number; score: number }[]): number[] =>
  scored
    .sort((one, other) => other.score - one.score)
    .slice(0, NEAREST)
    .map(({ number }) => number);

async function ours(database: Database, thread: Thread, query: Float32Array): Promise<number[]> {
  const found = await thread.ask({
    ...{ type: 'search', key: KEY, code: codeOf(query) },
    ...{ limit: CANDIDATES, types: null, without: [] },
  });
  const candidates = 'numbers' in found ? [...found.numbers] : [];
  const rows = await database
    .tenant(SCOPE.tenantId)
    .read((db: EmbeddingsDb) => vectorsAt(db, SCOPE, candidates));
  return best(rows.map(({ number, vector }) => ({ number, score: similarity(query, vector) })));
}

/** The floor: every vector, as floats in memory. */
function exact(vectors: readonly Float32Array[], lengths: readonly number[], query: Float32Array): number[] {
  const scored = vectors.map((vector, at) => {
    let product = 0;
    for (let place = 0; place < DIMENSIONS; place += 1) product += (vector[place] ?? 0) * (query[place] ?? 0);
    return { number: at + 1, score: product / (lengths[at] ?? 1) };
  });
  return best(scored);
}

/** Searches the codes and vectors of 100,000 passages, without the model and HTTP. */
export async function run(): Promise<Result[]> {
  const database = openSqlite(join(freshFolder('embeddings'), 'bench.db'));
  await database.migrate(embeddingMigrations);
  const thread = openThread();
  const centres = Array.from({ length: CLUSTERS }, () => near(new Float32Array(DIMENSIONS), 1));
  const centreOf = (at: number) => centres[at % CLUSTERS] ?? new Float32Array(DIMENSIONS);
  const vectors = Array.from({ length: PASSAGES }, (_, at) => near(centreOf(at), 1.5));
  const lengths = vectors.map((vector) => Math.hypot(...vector));
  await store(database, thread, vectors);
  const times = { ours: [] as number[], floor: [] as number[] };
  let hits = 0;
  for (let at = 0; at < QUERIES; at += 1) {
    const query = near(centreOf(at * 7), 1);
    const started = performance.now();
    const found = await ours(database, thread, query);
    const between = performance.now();
    const truth = new Set(exact(vectors, lengths, query));
    times.floor.push(performance.now() - between);
    times.ours.push(between - started);
    hits += found.filter((number) => truth.has(number)).length;
  }
  await thread.close();
  await database.close();
  return resultsOf(median(times.ours), median(times.floor), hits / (QUERIES * NEAREST));
}

const resultsOf = (took: number, floor: number, recall: number): Result[] => [
  {
    what: `nearest 20 of ${PASSAGES.toLocaleString('en')} passages, ${DIMENSIONS} dimensions; floor: each compared as floats`,
    ours: `${took.toFixed(1)} ms`,
    floor: `${floor.toFixed(1)} ms`,
    measured: `${took.toFixed(1)} ms`,
    target: `< ${MOST_MS} ms`,
    passed: took < MOST_MS,
  },
  {
    what: 'how many of them exact search finds too',
    ours: recall.toFixed(3),
    floor: '1',
    measured: recall.toFixed(3),
    target: `≥ ${LEAST_RECALL}`,
    passed: recall >= LEAST_RECALL,
  },
];
