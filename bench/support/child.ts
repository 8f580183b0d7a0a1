import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Linux counts CPU time in these ticks on every platform. */
const TICKS_A_SECOND = 100;

export interface Child {
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Resolves to the first group of the first matching line; rejects with the output if the process ends before. */
  says(pattern: RegExp): Promise<string>;
  /** Resolves to everything it wrote to stdout, once it has ended successfully. */
  done(): Promise<string>;
  stop(): Promise<void>;
}

export function startChild(args: readonly string[], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    log.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log.err += chunk;
  });
  const closed = once(child, 'close');
  const failure = () => new Error(`${args.join(' ')} ended with ${child.exitCode}\n${log.out}${log.err}`);
  return {
    pid: child.pid ?? 0,
    output: () => log.out + log.err,
    says: (pattern) => lineOf(child, () => log.out, pattern, failure),
    async done() {
      await closed;
      if (child.exitCode !== 0) throw failure();
      return log.out;
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

async function lineOf(
  child: ChildProcess,
  output: () => string,
  pattern: RegExp,
  failure: () => Error,
): Promise<string> {
  for (;;) {
    const found = pattern.exec(output());
    if (found) return found[1] ?? found[0];
    if (child.exitCode !== null || child.signalCode !== null) throw failure();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Seconds of CPU time that the main thread of a process has used. */
export const mainThreadSecondsOf = (pid: number): number =>
  Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'), 10) / 1e9;

/** Seconds of CPU time that a process has used, in user and system mode, over all threads. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Fields are counted after the program's name, which may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Megabytes of a process's memory now and at its highest. */
export function memoryOf(pid: number): { now: number; highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') };
}
