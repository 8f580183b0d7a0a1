import { globSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { summarise, summaryLine } from '../summary-reporter.mjs';
import { inRoot, root } from './paths.mjs';
import { stageLine } from './stages.mjs';

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.mjs'];
const FILE_TIMEOUT_MS = 300_000;

/**
 * Runs test files, two at a time.
 * @param {string[]} paths files or folders; none means all
 * @param {AbortSignal} signal ends the run
 * @returns {Promise<{failed: number, line: string}>} the line to end the output with
 */
export async function runTests(paths, signal) {
  const files =
    paths.length > 0 ? paths.flatMap(testFilesOf) : globSync(ALL, { cwd: root }).map((file) => inRoot(file));
  if (files.length === 0) throw new Error(`No test files in ${paths.join(', ') || 'the checkout'}`);
  const started = performance.now();
  const events = run({ files: files.sort(), concurrency: 2, timeout: FILE_TIMEOUT_MS, signal, cwd: root });
  const counts = await summarise(events, (text) => console.log(text));
  console.log(stageLine(`tests (${files.length} files)`, counts.failed === 0, performance.now() - started));
  return { failed: counts.failed, line: summaryLine(counts) };
}

function testFilesOf(path) {
  const absolute = resolve(root, path);
  if (!statSync(absolute, { throwIfNoEntry: false })) throw new Error(`No such file or folder: ${path}`);
  if (statSync(absolute).isFile()) return [absolute];
  return globSync('**/*.test.{ts,mjs}', { cwd: absolute }).map((file) => resolve(absolute, file));
}
