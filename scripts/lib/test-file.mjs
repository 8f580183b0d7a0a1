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
/** Tests create many short-lived objects: a larger nursery saves a twentieth of their processor time. */
const NURSERY = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/**
 * Runs one test file as a group of processes, none of which is left afterwards. A file that declares no test,
 * dies, or is still running when it is overdue counts as a failure, reported with its open tests and last
 * output.
 * @param {string} file
 * @param {{overdue: AbortSignal, signal: AbortSignal, print: (text: string) => void}} options `signal` ends
 * it silently; `print` gets each failure immediately, and all output of the file
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
  // Processes left behind by the file hold its output open and keep the machine busy.
  end();
  await closed;
  const cause = causeOf(heard, { code, killedBy, isOverdue });
  if (cause !== undefined && !signal.aborted) fail({ title: name, cause });
  const { passed, skipped, failures } = heard;
  return { passed, skipped, failures };
}

function take({ type, ...record }, heard, { fail, say }) {
  if (type === 'begun') heard.open.push(record.name);
  if (type === 'over') heard.open.splice(heard.open.lastIndexOf(record.name), 1);
  if (type === 'passed' || type === 'skipped') heard[type] += 1;
  if (type === 'failed') fail(record);
  if (type === 'said') say(record.text);
  if (type === 'end') heard.isThrough = true;
}

function causeOf(heard, { code, killedBy, isOverdue }) {
  const { passed, skipped, failures, isThrough } = heard;
  const within = heard.open.length > 0 ? `, in: ${heard.open.join(' > ')}` : '';
  const details = [within, ...heard.said].join('\n');
  if (isOverdue) return `the file took too long and was ended${details}`;
  if (killedBy) return `the file was ended by ${killedBy}${details}`;
  if (code !== 0 && (!isThrough || failures.length === 0))
    return `the file ended with exit code ${code}${details}`;
  return passed + skipped + failures.length === 0 ? 'the file declares no test' : undefined;
}
