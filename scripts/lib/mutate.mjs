import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Worker } from 'node:worker_threads';
import { testsReachedBy } from './changed-tests.mjs';
import { mutationsOf, withMutations } from './mutations.mjs';
import { root } from './paths.mjs';

/** Even a busy machine loads the tests, and runs each once, within this many milliseconds. */
const LOADING_MS = 600_000;
/** A test that takes longer than this, and than so many times its usual duration, is endless. */
const [LEAST_MS, TIMES] = [1_500, 10];
const MODULE_CACHE = /^((?:export )?const \w+(?:: [^=]+)? = new )((?:Weak)?Map(?:<.*>)?\(\);)/gm;

/**
 * Prints the small faults in the sources below a path that no test of their layer notices.
 * @param {string} path a file or folder such as `src/content/merge`
 * @param {number} most mutations to try, spread evenly
 */
export async function mutate(path, most) {
  const texts = sourcesOf(path.split('/', 2).join('/'));
  const isAsked = (file) => !/\.test\.ts$/.test(file) && (file === path || file.startsWith(`${path}/`));
  const all = [];
  const sources = new Map();
  for (const [file, text] of texts) {
    const mutations = isAsked(file) ? mutationsOf(file, text) : [];
    const written = withMutations(text, mutations, all.length).replace(MODULE_CACHE, '$1$$$2');
    if (written !== text) sources.set(file, written);
    all.push(...mutations.map((one) => ({ ...one, file })));
  }
  const asked = [...texts.keys()].filter(isAsked);
  // Tests may reach the sources through helpers that they share.
  const { tests } = testsReachedBy(asked, new Map([...texts, ...sourcesOf('test/support')]));
  const testsOf = testsBeside(tests.filter((test) => texts.has(test)));
  const setup = { sources, count: all.length, tests: [...new Set(asked.flatMap(testsOf))] };
  const { loaded, measured } = await look(setup);

  const every = Math.max(1, all.length / most);
  const tried = all
    .map((one, id) => ({ ...one, id }))
    .filter(({ id }) => Math.floor(id / every) !== Math.floor((id - 1) / every));
  const session = { setup, measured, worker: undefined };
  for (const one of tried) {
    one.outcome = loaded[one.id] ? 'unreached' : await judge(session, one, reaching(one, measured, testsOf));
    // Code that runs while modules load, or only once, is reached only in freshly loaded modules.
    if (one.outcome === 'unreached') one.outcome = await judgeAnew(session, one, testsOf(one.file));
    if (one.outcome === 'survived') console.log(described(one, texts.get(one.file)));
  }
  await session.worker?.terminate();
  report(tried, all.length);
}

function sourcesOf(layer) {
  const files = globSync(`${layer}/**/*.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  if (files.length === 0)
    throw new Error(`No sources in ${layer}: name a file or folder such as src/content/merge`);
  return new Map(files.map((file) => [file, readFileSync(posix.join(root, file), 'utf8')]));
}

async function look(setup) {
  const worker = await start(setup);
  worker.postMessage({ type: 'look' });
  const { loaded, tests } = await next(worker, 'looked');
  await worker.terminate();
  const measured = tests.filter(({ ms }) => ms !== undefined);
  for (const { key, ms } of tests)
    if (ms === undefined) console.log(`left out, as it fails without a mutation: ${key}`);
  return { loaded, measured };
}

/** Those of the source's folder or of one above, else all that reach it. */
function testsBeside(tests) {
  return (file) => {
    const beside = tests.filter(
      (test) => file.startsWith(`${posix.dirname(test)}/`) && test.split('/').length > 3,
    );
    return beside.length > 0 ? beside : tests;
  };
}

/** The fastest first. */
const reaching = ({ id, file }, measured, testsOf) =>
  measured
    .filter((test) => test.reached[id] && testsOf(file).includes(test.file))
    .sort((a, b) => a.ms - b.ms);

async function judge(session, { id }, tests) {
  if (tests.length === 0) return 'survived';
  session.worker ??= await start(session.setup);
  session.worker.postMessage({ type: 'judge', id, order: tests.map(({ key }) => key) });
  const outcome = await verdict(session.worker, tests);
  if (outcome === 'timeout' || outcome === 'died') {
    await session.worker.terminate();
    session.worker = undefined;
  }
  return outcome === 'died' ? 'killed' : outcome;
}

async function judgeAnew({ setup, measured }, one, files) {
  const tests = measured.filter(({ file }) => files.includes(file)).sort((a, b) => a.ms - b.ms);
  const fresh = { setup: { ...setup, tests: files, chosen: one.id }, worker: undefined };
  try {
    const outcome = await judge(fresh, one, tests);
    return outcome === 'unreached' ? 'survived' : outcome;
  } catch {
    return 'killed';
  } finally {
    await fresh.worker?.terminate();
  }
}

async function start(setup) {
  const worker = new Worker(new URL('./mutation-worker.mjs', import.meta.url), {
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    stdout: true,
    stderr: true,
  });
  await next(worker, 'loaded');
  return worker;
}

/** Rejects if the worker dies first, or is silent for too long. */
function next(worker, type) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The tests did not load in time')), LOADING_MS);
    const done = (settle) => (value) => {
      clearTimeout(timer);
      worker.off('message', hear);
      worker.off('error', fail);
      settle(value);
    };
    const fail = done(reject);
    const hear = (message) => message.type === type && done(resolve)(message);
    worker.on('message', hear);
    worker.on('error', fail);
  });
}

function verdict(worker, tests) {
  const usual = new Map(tests.map(({ key, ms }) => [key, ms]));
  return new Promise((resolve) => {
    let timer;
    const done = (outcome) => {
      clearTimeout(timer);
      worker.off('message', hear);
      worker.off('error', die);
      resolve(outcome);
    };
    const wait = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(() => done('timeout'), LEAST_MS + TIMES * ms);
    };
    const die = () => done('died');
    const hear = (message) => {
      if (message.type === 'begun') wait(usual.get(message.key));
      else if (message.isKilled) done('killed');
      else done(message.isReached ? 'survived' : 'unreached');
    };
    worker.on('message', hear);
    worker.on('error', die);
    wait(0);
  });
}

function report(tried, known) {
  for (const [file, mutations] of Map.groupBy(tried, ({ file }) => file))
    console.log(`${file}: ${counted(mutations)}`);
  const sample = tried.length < known ? ` of ${known}` : '';
  console.log(`${tried.length}${sample} mutations: ${counted(tried)}`);
}

const described = ({ file, line, start, end, by }, text) =>
  `${file}:${line}: ${shown(text.slice(start, end))} → ${shown(by)}`;

function counted(mutations) {
  const { killed = [], survived = [], timeout = [] } = Object.groupBy(mutations, ({ outcome }) => outcome);
  const share = Math.round((100 * (killed.length + timeout.length)) / mutations.length);
  return `${killed.length} killed, ${timeout.length} timed out, ${survived.length} survived (${share} % noticed)`;
}

function shown(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-28)}` : line;
}
