import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodeIndex, type PassageCodes } from './code-index.ts';
import { createCodeThread } from './code-thread.ts';
import { codeOf, encodeVector, similarity, wordsFor } from './vector-codec.ts';

const DIMENSIONS = 256;

/** The same in each run. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

const random = createNumbers(7);
const vectorNear = (centre: Float32Array, spread: number): Float32Array =>
  Float32Array.from(centre, (value) => value + spread * random());
const zero = new Float32Array(DIMENSIONS);

function passages(from: number, vectors: readonly Float32Array[], rowOf = (at: number) => at): PassageCodes {
  const codes = new Uint8Array(vectors.length * wordsFor(DIMENSIONS) * 4);
  for (const [at, vector] of vectors.entries())
    codes.set(codeOf(vector), (at * codes.length) / vectors.length);
  return {
    numbers: Float64Array.from(vectors, (_, at) => from + at),
    rowIds: Float64Array.from(vectors, (_, at) => rowOf(at)),
    typeNumbers: Uint16Array.from(vectors, (_, at) => at % 2),
    types: ['character', 'place'],
    codes,
  };
}

const EVERYTHING = { limit: 800, types: null, without: [] };

test('of the nearest 20 of 10,000, at least 19 are found', () => {
  const centres = Array.from({ length: 50 }, () => vectorNear(zero, 1));
  const vectors = Array.from({ length: 10_000 }, (_, at) => vectorNear(centres[at % 50] ?? zero, 1.5));
  const stored = vectors.map((vector) => encodeVector(vector).bytes);
  const index = createCodeIndex(wordsFor(DIMENSIONS));
  index.add(passages(0, vectors));
  let hits = 0;
  for (const centre of centres.slice(0, 20)) {
    const query = vectorNear(centre, 1);
    const best = (numbers: Iterable<number>) =>
      [...numbers]
        .map((number) => ({ number, score: similarity(query, stored[number] ?? new Uint8Array()) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, 20)
        .map(({ number }) => number);
    const exact = new Set(best(vectors.keys()));
    const found = best(index.search({ ...EVERYTHING, code: codeOf(query) }));
    hits += found.filter((number) => exact.has(number)).length;
  }
  assert.ok(hits / 400 >= 0.95, `${hits} of 400`);
});

test('types narrow, entities can be left out, and a new state replaces the old one', () => {
  const vectors = Array.from({ length: 4 }, () => vectorNear(zero, 1));
  const index = createCodeIndex(wordsFor(DIMENSIONS));
  index.add(passages(10, vectors));
  const code = codeOf(vectors[0] ?? zero);
  const found = (more: object) => [...index.search({ ...EVERYTHING, code, ...more })];
  assert.equal(found({})[0], 10);
  assert.deepEqual(new Set(found({ types: ['place'] })), new Set([11, 13]));
  assert.ok(!found({ without: [0] }).includes(10));
  index.add(passages(20, [vectors[0] ?? zero], () => 0));
  assert.equal(found({})[0], 20);
  assert.ok(!found({}).includes(10));
  assert.equal(index.size(), 4);
});

test('replaced passages make room', () => {
  const index = createCodeIndex(wordsFor(DIMENSIONS));
  for (let round = 0; round < 50; round += 1)
    index.add(
      passages(
        round * 100,
        Array.from({ length: 100 }, () => vectorNear(zero, 1)),
      ),
    );
  assert.equal(index.size(), 100);
  const found = index.search({ ...EVERYTHING, code: codeOf(zero) });
  assert.deepEqual(new Set(found), new Set(Array.from({ length: 100 }, (_, at) => 4_900 + at)));
});

test('a thread that lost a state says so, and takes no page that leaves a gap', () => {
  const answer = createCodeThread(150);
  const words = wordsFor(DIMENSIONS);
  const page = (key: string, from: number) => {
    const some = passages(
      from,
      Array.from({ length: 100 }, () => vectorNear(zero, 1)),
    );
    return answer({ type: 'add', key, words, from, upTo: from + 100, passages: some });
  };
  assert.deepEqual(page('one', 100), { upTo: 0 });
  assert.deepEqual(page('one', 0), { upTo: 100 });
  assert.deepEqual(page('two', 0), { upTo: 100 });
  assert.deepEqual(answer({ type: 'known', key: 'one' }), { upTo: 0 });
  assert.deepEqual(answer({ type: 'known', key: 'two' }), { upTo: 100 });
});
