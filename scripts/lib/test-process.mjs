import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { inRoot, root } from './paths.mjs';
import { signalGroup } from './process-group.mjs';
import { ENTRY, MARK } from './test-reporter.mjs';
import { describeFailure } from './test-summary.mjs';

const REPORTER = inRoot('scripts/lib/test-reporter.mjs');
const HOOKS = inRoot('scripts/lib/test-hooks.mjs');
const LINES_KEPT = 40;
/** Tests create many short-lived objects: a larger nursery saves a twentieth of their processor time. */
const NURSERY = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/**
 * Runs test files in one process, as a group of processes none of which is left afterwards. A file that declares no test
 * counts as a failure, and so does a process that dies or is still running when it is overdue, reported with its open tests
 * and last output.
 * @param {string[]} files
 * @param {{overdue: AbortSignal, signal: AbortSignal, print: (text: string) => void}} options `signal` ends
 * it silently; `print` gets each failure immediately, and all output of the file
 * @returns {Promise<{passed: number, skipped: number, failures: {title: string, cause: string}[]}>}
 */
export async function runTestFiles(files, { overdue, signal, print }) {
  const name = nameOf(files);
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
  const child = spawn(process.execPath, [...flags, ENTRY, ...files], { cwd: root, detached: true, stdio });
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
  // Processes left behind by the file hold its output open and keep the machine busy.
  end();
  await closed;
  const cause = causeOf(heard, { code, killedBy, isOverdue });
  if (cause !== undefined && !signal.aborted)
    fail({ title: files.map((file) => relative(root, file)).join(', '), cause });
  const { passed, skipped, failures } = heard;
  return { passed, skipped, failures };
}

/** @param {string[]} files */
export const nameOf = ([first, ...more]) =>
  `${relative(root, first)}${more.length > 0 ? ` and ${more.length} more` : ''}`;

function take({ type, ...record }, heard, { fail, say }) {
  if (type === 'begun') heard.open.push(record.name);
  if (type === 'over') heard.open.splice(heard.open.lastIndexOf(record.name), 1);
  if (type === 'passed' || type === 'skipped') heard[type] += 1;
  if (type === 'failed') fail(record);
  if (type === 'said') say(record.text);
  if (type === 'end') heard.isThrough = true;
}

function causeOf(heard, { code, killedBy, isOverdue }) {
  const { failures, isThrough } = heard;
  const within = heard.open.length > 0 ? `, in: ${heard.open.join(' > ')}` : '';
  const details = [within, ...heard.said].join('\n');
  if (isOverdue) return `the process took too long and was ended${details}`;
  if (killedBy) return `the process was ended by ${killedBy}${details}`;
  if (!isThrough)
    return `the process ended with exit code ${code} before all of its tests were over${details}`;
  if (code !== 0 && failures.length === 0) return `the process ended with exit code ${code}${details}`;
  return undefined;
}
