import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { inRoot, root } from './paths.mjs';

/*
 * Tests with every mutation of the sources in memory, one switched on at a time. A stand-in for `node:test` keeps the tests,
 * so that they run again for the next mutation without being loaded again.
 */
const { sources, tests: files, count, chosen } = workerData;
const RUNS_OF_A_PROPERTY = 100;
const reached = new Uint8Array(count);
let active = chosen ?? -1;
globalThis.$mutated = (id) => {
  reached[id] = 1;
  return id === active;
};

const tests = new Map();
const group = { file: '', names: [] };
globalThis.$declare = {
  test: (name, ...rest) => tests.set(freeKey(name), { file: group.file, run: rest.at(-1) }),
  describe(name, declare) {
    group.names.push(name);
    declare();
    group.names.pop();
  },
};

/** Rows of a table may have the same name. */
function freeKey(name) {
  const key = [group.file, ...group.names, name].join(' > ');
  let free = key;
  for (let number = 2; tests.has(free); number += 1) free = `${key} (${number})`;
  return free;
}

/** Caches of the sources, restored between mutations so that none holds results of an earlier one. */
const caches = [];
globalThis.$Map = class extends Map {
  constructor() {
    super();
    let kept = [];
    caches.push({
      keep: () => {
        kept = [...this];
      },
      restore: () => {
        this.clear();
        for (const [key, value] of kept) this.set(key, value);
      },
    });
  }
};
globalThis.$WeakMap = class {
  #held = new WeakMap();
  constructor() {
    caches.push({
      keep: () => {},
      restore: () => {
        this.#held = new WeakMap();
      },
    });
  }
  get = (key) => this.#held.get(key);
  has = (key) => this.#held.has(key);
  delete = (key) => this.#held.delete(key);
  set(key, value) {
    this.#held.set(key, value);
    return this;
  }
};

const STAND_INS = {
  'node:test': 'export const { test, describe } = $declare; export const it = test; export default test;',
  [pathToFileURL(inRoot('test/support/properties.ts')).href]: `
    import fc from 'fast-check';
    export const seed = 1;
    const limited = (options) => ({ ...options, seed, numRuns: Math.min(options?.numRuns ?? ${RUNS_OF_A_PROPERTY}, ${RUNS_OF_A_PROPERTY}), endOnFailure: true });
    export default { ...fc, assert: (property, options) => fc.assert(property, limited(options)) };`,
};
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test'
      ? { url: 'mutation:test', format: 'module', shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const standIn = url === 'mutation:test' ? STAND_INS['node:test'] : STAND_INS[url];
    if (standIn) return { format: 'module', source: standIn, shortCircuit: true };
    const mutated = url.startsWith('file:') ? sources.get(relative(root, fileURLToPath(url))) : undefined;
    return mutated
      ? { format: 'module-typescript', source: mutated, shortCircuit: true }
      : next(url, context);
  },
});

/** Milliseconds, or undefined if the test failed. */
async function timed({ run }) {
  const before = performance.now();
  try {
    await run({});
  } catch {
    return undefined;
  }
  return performance.now() - before;
}

const say = (message) => parentPort.postMessage(message);

/** Runs each test alone: its duration, and the mutations that it reaches. */
async function look() {
  const loaded = reached.slice();
  const seen = [];
  for (const [key, test] of tests) {
    reached.fill(0);
    for (const cache of caches) cache.restore();
    const ms = await timed(test);
    seen.push({ key, file: test.file, ms, reached: reached.slice() });
  }
  say({ type: 'looked', loaded, tests: seen });
}

async function judge({ id, order }) {
  active = id;
  reached[id] = 0;
  for (const cache of caches) cache.restore();
  for (const key of order) {
    say({ type: 'begun', id, key });
    if ((await timed(tests.get(key))) === undefined) return say({ type: 'judged', id, isKilled: true });
  }
  say({ type: 'judged', id, isKilled: false, isReached: reached[id] === 1 });
}

for (const file of files) {
  group.file = file;
  await import(pathToFileURL(inRoot(file)).href);
}
for (const cache of caches) cache.keep();
parentPort.on('message', (message) => (message.type === 'look' ? look() : judge(message)));
say({ type: 'loaded' });
