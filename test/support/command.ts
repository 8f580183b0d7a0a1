import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { MAIN, processEnv } from './service-process.ts';

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

export interface RunningCommand {
  /** What it has printed so far. */
  printed(): string;
  /** As Ctrl-C does. */
  stop(): Promise<CommandResult>;
  ended: Promise<CommandResult>;
}

interface Place {
  cwd: string;
  env?: Record<string, string>;
}

/** Starts `canonry` in a process of its own. */
export function startCommand({ cwd, env }: Place, ...args: string[]): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { ...processEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const err = text(child.stderr);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const ended = Promise.all([exit, err]).then(([[code], said]) => ({ code, out: printed, err: said }));
  return {
    printed: () => printed,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
    ended,
  };
}

/** Runs it to its end. Rejects unless its exit code is 0. */
export async function runCommand(place: Place, ...args: string[]): Promise<CommandResult> {
  const result = await startCommand(place, ...args).ended;
  if (result.code !== 0) throw new Error(`canonry ${args.join(' ')}: ${result.out}${result.err}`);
  return result;
}
