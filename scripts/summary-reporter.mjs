import { relative } from 'node:path';
import { inspect } from 'node:util';
import { root } from './lib/paths.mjs';

/**
 * Counts the leaf tests of a `node:test` run, and hands each failure to `print` as it happens.
 * A file that declares no test counts as a failure: it checks nothing.
 * @param {AsyncIterable<{type: string, data: object}>} events
 * @param {(text: string) => void} print
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function summarise(events, print) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const openTests = new Map();
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') print(data.message.trimEnd());
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const hasChildren = countChild(openTests, data);
    const outcome = outcomeOf(type, data, hasChildren);
    if (!outcome) continue;
    counts[outcome] += 1;
    if (outcome === 'failed') print(describeFailure(data));
  }
  return counts;
}

/** The last line of a run. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Children are reported before their parent. Returns whether this test had any. */
function countChild(openTests, { file, nesting }) {
  const children = openTests.get(file) ?? [];
  openTests.set(file, children);
  const hasChildren = (children[nesting + 1] ?? 0) > 0;
  children[nesting + 1] = 0;
  children[nesting] = (children[nesting] ?? 0) + 1;
  return hasChildren;
}

function outcomeOf(type, data, hasChildren) {
  if (type === 'test:fail' && data.todo === undefined) {
    return hasChildren && data.details.error?.failureType === 'subtestsFailed' ? undefined : 'failed';
  }
  if (isFile(data)) return 'failed';
  if (hasChildren || data.details.type === 'suite') return undefined;
  return data.skip === undefined && data.todo === undefined ? 'passed' : 'skipped';
}

/** The runner reports a file as a test of its own only if it failed as a whole or declared no test. */
function isFile({ name, file, nesting }) {
  return nesting === 0 && file !== undefined && (file === name || file.endsWith(`/${name}`));
}

function describeFailure(data) {
  const place = data.file ? `${relative(root, data.file)}:${data.line ?? 1}` : '';
  return `\nFAIL ${data.name}\n     ${place}\n${causeOf(data).replace(/^/gm, '     ')}`;
}

function causeOf({ details: { error } }) {
  if (error === undefined) return 'the file declares no test';
  if (error.exitCode) return `the file ended with exit code ${error.exitCode}`;
  const cause = error.cause ?? error;
  const text = typeof cause === 'string' ? cause : (cause.stack ?? inspect(cause));
  return text.replace(/\n +at [^\n]*\(?node:internal[^\n]*/g, '') + differenceOf(cause);
}

function differenceOf(cause) {
  if (cause?.code !== 'ERR_ASSERTION' || cause.generatedMessage) return '';
  return `\nactual:   ${inspect(cause.actual)}\nexpected: ${inspect(cause.expected)}`;
}
