import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { inRoot, root } from './paths.mjs';
import { signalGroup } from './process-group.mjs';
import { MARK } from './test-reporter.mjs';
import { describeFailure } from './test-summary.mjs';

const REPORTER = inRoot('scripts/lib/test-reporter.mjs');
const HOOKS = inRoot('scripts/lib/test-hooks.mjs');
const LINES_KEPT = 40;
/** A test makes much that it soon forgets: more room for that to begin with saves a twentieth of its processor time. */
const NURSERY = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/**
 * Runs one test file as a group of processes, of which none is left afterwards. A file that declares no test, dies, or
 * still runs when it is overdue is a failure of its own, told with the tests that were open and what was said last.
 * @param {string} file
 * @param {{overdue: AbortSignal, signal: AbortSignal, print: (text: string) => void}} options `signal` ends it without
 *   a word; `print` hears of each failure at once, and of all that the file says
 * @returns {Promise<{passed: number, skipped: number, failures: {title: string, cause: string}[]}>}
 */
export async function runTestFile(file, { overdue, signal, print }) {
  const name = relative(root, file);
  const heard = { passed: 0, skipped: 0, failures: [], open: [], said: [], isThrough: false };
  const fail = (failure) => {
    heard.failures.push(failure);
    print(describeFailure(failure));
  };
  const say = (line) => {
    if (line === '') return;
    heard.said = [...heard.said, line].slice(-LINES_KEPT);
    print(`${name}: ${line}`);
  };

  const flags = [
    ...NURSERY,
    `--import=${pathToFileURL(HOOKS)}`,
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
  ];
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [...flags, file], { cwd: root, detached: true, stdio });
  createInterface(child.stdout).on('line', (line) => {
    const [words, record] = line.split(MARK);
    say(words);
    if (record !== undefined) take(JSON.parse(record), heard, { fail, say });
  });
  createInterface(child.stderr).on('line', say);

  const closed = once(child, 'close');
  const end = () => signalGroup(child.pid, 'SIGKILL');
  const over = AbortSignal.any([overdue, signal]);
  over.addEventListener('abort', end);
  if (over.aborted) end();
  const [code, killedBy] = await once(child, 'exit');
  const isOverdue = overdue.aborted;
  over.removeEventListener('abort', end);
  // What it started holds its output open, and keeps the machine busy.
  end();
  await closed;
  const cause = causeOf(heard, { code, killedBy, isOverdue });
  if (cause !== undefined && !signal.aborted) fail({ title: name, cause });
  const { passed, skipped, failures } = heard;
  return { passed, skipped, failures };
}

function take({ type, ...told }, heard, { fail, say }) {
  if (type === 'begun') heard.open.push(told.name);
  if (type === 'over') heard.open.splice(heard.open.lastIndexOf(told.name), 1);
  if (type === 'passed' || type === 'skipped') heard[type] += 1;
  if (type === 'failed') fail(told);
  if (type === 'said') say(told.text);
  if (type === 'end') heard.isThrough = true;
}

/** Why a file failed as a whole; undefined where it did not. */
function causeOf(heard, { code, killedBy, isOverdue }) {
  const { passed, skipped, failures, isThrough } = heard;
  const within = heard.open.length > 0 ? `, in: ${heard.open.join(' > ')}` : '';
  const told = [within, ...heard.said].join('\n');
  if (isOverdue) return `the file took too long and was ended${told}`;
  if (killedBy) return `the file was ended by ${killedBy}${told}`;
  if (code !== 0 && (!isThrough || failures.length === 0))
    return `the file ended with exit code ${code}${told}`;
  return passed + skipped + failures.length === 0 ? 'the file declares no test' : undefined;
}
