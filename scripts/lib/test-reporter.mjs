import { relative } from 'node:path';
import { inspect } from 'node:util';
import { inRoot, root } from './paths.mjs';

/** Precedes each record on standard output, where a test may print anything as well. */
export const MARK = '\u0001canonry-test:';

/** Loads the test files; a test that it declares itself has the name of a file that is broken. */
export const ENTRY = inRoot('scripts/lib/test-entry.mjs');

const SHOWN = { depth: 8, maxArrayLength: 200, maxStringLength: 10_000, breakLength: 120 };
/** Totals that Node.js adds; we count ourselves. */
const TOTAL = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/**
 * A reporter of `node:test`: reports to the process that started this file, one JSON record per line. `begun`
 * and `over` name a test or suite; a leaf is `passed`, `skipped` or `failed`, the latter with title and
 * cause; `said` is a message of Node.js; `end` comes when all tests are finished.
 * @param {AsyncIterable<{type: string, data: object}>} events
 */
export default async function* report(events) {
  for await (const record of recordsOf(events)) yield `\n${MARK}${onOneLine(record)}\n`;
}

/** A reader of lines ends them at these separators too, which JSON leaves as they are. */
const onOneLine = (record) =>
  JSON.stringify(record).replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

async function* recordsOf(events) {
  /** Outermost first, with the number of children of each. */
  const names = [];
  const children = [];
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') yield { type: 'begun', name: data.name };
    if (type === 'test:complete') yield { type: 'over', name: data.name };
    if (type === 'test:start') names[data.nesting] = data.name;
    if (type === 'test:diagnostic' && !TOTAL.test(data.message)) yield { type: 'said', text: data.message };
    if (type === 'test:summary') yield { type: 'end' };
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const outcome = outcomeOf(type, data, countChild(children, data));
    if (outcome === 'failed') yield { type: outcome, ...failureOf(data, names) };
    else if (outcome) yield { type: outcome };
  }
}

/** Returns true if this test had any. They are reported before it. */
function countChild(children, { nesting }) {
  const hasChildren = (children[nesting + 1] ?? 0) > 0;
  children[nesting + 1] = 0;
  children[nesting] = (children[nesting] ?? 0) + 1;
  return hasChildren;
}

function outcomeOf(type, data, hasChildren) {
  if (type === 'test:fail' && data.todo === undefined) {
    return hasChildren && data.details.error?.failureType === 'subtestsFailed' ? undefined : 'failed';
  }
  if (hasChildren || data.details.type === 'suite') return undefined;
  return data.skip === undefined && data.todo === undefined ? 'passed' : 'skipped';
}

function failureOf(data, names) {
  const place = data.file && data.file !== ENTRY ? `${relative(root, data.file)}:${data.line ?? 1}` : '';
  const name = [...names.slice(0, data.nesting), data.name].join(' > ');
  return { title: `${place} ${name}`.trim(), cause: causeOf(data.details.error) };
}

function causeOf(error) {
  const cause = error.cause ?? error;
  const text = typeof cause === 'string' ? cause : (cause.stack ?? inspect(cause));
  return text.replace(/\n +at [^\n]*\(?node:internal[^\n]*/g, '') + differenceOf(cause);
}

/** A custom or shortened message does not show the compared values. */
function differenceOf(cause) {
  if (cause?.code !== 'ERR_ASSERTION') return '';
  if (cause.generatedMessage && !/\n\.\.\.|Skipped lines/.test(cause.message)) return '';
  return `\nactual:   ${inspect(cause.actual, SHOWN)}\nexpected: ${inspect(cause.expected, SHOWN)}`;
}
