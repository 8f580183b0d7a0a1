import { availableParallelism } from 'node:os';
import { inRoot } from './paths.mjs';
import { stageLine } from './stages.mjs';
import { batchesOf, separateLast } from './test-batches.mjs';
import { nameOf, runTestFiles } from './test-process.mjs';
import { failureLines, summaryLine } from './test-summary.mjs';

/**
 * Generous even for a machine several times slower, but a hanging test is reported before a run limited to a quarter of an
 * hour is cut off.
 */
const BATCH_BOUND_MS = 600_000;
/** Two more than processors: tests wait for files, sockets and processes as much as they compute. */
const PROCESSES_AT_ONCE = availableParallelism() + 2;
const SLOWEST_SHOWN = 12;
/** Each process loads the same sources: the compile cache saves each of them about a second. */
const COMPILED = 'node_modules/.cache/compiled-sources';

/**
 * Runs test files, a few at a time.
 * @param {string[]} files
 * @param {AbortSignal} signal ends the run, with an error as its reason
 * @returns {Promise<{failed: number, line: string}>} the last line of the output
 */
export async function runTests(files, signal) {
  process.env.NODE_COMPILE_CACHE ??= inRoot(COMPILED);
  const started = performance.now();
  const { beside, last } = separateLast(files);
  const run = (batch) => runAndTime(batch, signal);
  const results = [
    ...(await inTurns(batchesOf(beside), PROCESSES_AT_ONCE, signal, run)),
    ...(await inTurns(batchesOf(last), 1, signal, run)),
  ];
  const counts = {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
  if (signal.aborted) counts.failures.push({ title: 'the run was cut short', cause: signal.reason.message });
  for (const line of [...slowestOf(results), ...failureLines(counts.failures)]) console.log(line);
  const failed = counts.failures.length;
  console.log(stageLine(`tests (${files.length} files)`, failed === 0, performance.now() - started));
  return { failed, line: summaryLine(counts) };
}

/** A few items at a time and in order, until interrupted. */
async function inTurns(items, atOnce, signal, work) {
  const results = [];
  const waiting = items.values();
  const turns = Array.from({ length: atOnce }, async () => {
    for (const item of waiting) if (!signal.aborted) results.push(await work(item));
  });
  await Promise.all(turns);
  return results;
}

async function runAndTime(files, signal) {
  const started = performance.now();
  const overdue = AbortSignal.timeout(BATCH_BOUND_MS);
  const result = await runTestFiles(files, { overdue, signal, print: console.log });
  return { name: nameOf(files), seconds: (performance.now() - started) / 1000, ...result };
}

function slowestOf(durations) {
  if (durations.length <= SLOWEST_SHOWN) return [];
  const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  return slowest.map(({ name, seconds }) => `     ${seconds.toFixed(1).padStart(6)} s  ${name}`);
}
