import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../kit/config/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { CommandError } from '../context.ts';
import type { SystemUser } from './programs.ts';

/** A process to run; it stops when its standard input ends. */
export interface Job {
  name: string;
  address: string;
  command: readonly string[];
  env: Environment;
  /** The user that it runs as; our own by default. */
  user?: SystemUser | undefined;
  /** True once it serves. */
  answers(): Promise<boolean>;
}

export interface Supervised {
  job: Job;
  pid(): number | undefined;
  /** Resolves once it serves for the first time; rejects if it never does. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

export interface Listener {
  line(job: Job, text: string): void;
  /** Called with one line about a restart or recovery. */
  event(text: string): void;
}

const POLL_MS = 100;
/** A first start creates databases and tables, maybe on a busy machine. */
const FIRST_START_MS = 120_000;
/** After this many milliseconds a process counts as healthy, and its next failure as a first one. */
const STEADY_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A port that was just taken deserves another attempt; a wrong setting does not deserve many. */
const MOST_FALSE_STARTS = 3;
/** Longer than the services take to finish their running work. */
const STOP_MS = 30_000;

/** Keeps a process running until it is asked to stop: it is started again after longer and longer pauses. */
export function supervise(job: Job, listener: Listener): Supervised {
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  let child: ChildProcess | null = null;
  let hasServed = false;
  let lastLine = '';

  function started(): ChildProcess {
    const [program = '', ...args] = job.command;
    const process = spawn(program, args, {
      env: { ...job.env },
      ...job.user,
      // In a group of its own, it does not get the terminal's Ctrl-C: we stop the processes in order.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    process.stdin.on('error', () => {});
    for (const stream of [process.stdout, process.stderr]) {
      createInterface({ input: stream }).on('line', (text) => {
        lastLine = text;
        listener.line(job, text);
      });
    }
    return process;
  }

  async function untilServing(over: AbortSignal): Promise<void> {
    let problem = '';
    const serves = () =>
      job.answers().catch((error: unknown) => {
        problem = `: ${messageOf(error)}`;
        return false;
      });
    const deadline = performance.now() + FIRST_START_MS;
    while (!over.aborted && !(await serves())) {
      if (performance.now() > deadline)
        ready.reject(
          new CommandError(`${job.name} did not start to serve within ${FIRST_START_MS / 1000} s${problem}`),
        );
      await sleep(POLL_MS);
    }
    if (over.aborted) return;
    if (hasServed) listener.event(`${job.name} is back, pid ${child?.pid}`);
    hasServed = true;
    ready.resolve();
  }

  /** Runs the process once and resolves to the reason for its end. */
  async function runOnce(): Promise<string> {
    const over = new AbortController();
    const process = started();
    child = process;
    const ended = new Promise<string>((resolve) => {
      process.once('error', (error) => resolve(messageOf(error)));
      process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    const serving = untilServing(over.signal);
    const how = await ended;
    over.abort();
    process.stdin?.destroy();
    await serving;
    return how;
  }

  async function keepRunning(): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      const begun = performance.now();
      const how = await runOnce();
      if (stopping.signal.aborted) return;
      if (performance.now() - begun > STEADY_MS) failures = 1;
      if (!hasServed && failures >= MOST_FALSE_STARTS)
        return ready.reject(new CommandError(`${job.name} does not start (${how}): ${lastLine}`));
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
      listener.event(`${job.name} ended (${how}): it is started again in ${pause / 1000} s`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  }

  const running = keepRunning();
  return {
    job,
    pid: () => child?.pid,
    ready: ready.promise,
    async stop() {
      stopping.abort();
      child?.stdin?.end();
      const late = new AbortController();
      const killed = sleep(STOP_MS, undefined, { signal: late.signal }).then(
        () => killGroup(child),
        () => {},
      );
      await running;
      late.abort();
      await killed;
    },
  };
}

function killGroup(child: ChildProcess | null): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
