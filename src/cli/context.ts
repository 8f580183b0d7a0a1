import { setImmediate as turn } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CoreOptions } from '../surfaces/content-core.ts';

export const EXIT = { ok: 0, findings: 1, failed: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Everything that a command may use of the process it runs in. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Program and arguments that start this CLI again, before the command's own arguments. */
  program: readonly string[];
  /** Read only by options that say so and, on a terminal, for an answer: elsewhere no command waits for input. */
  input: AsyncIterable<string | Uint8Array> & { isTTY?: boolean };
  out: { write(text: string | Uint8Array): unknown; isTTY?: boolean };
  err: { write(text: string): unknown; isTTY?: boolean };
  /** Aborts when the process is asked to end. */
  stop: AbortSignal;
  /** Starts the scanner that reads content; a thread by default. */
  startScanner?: CoreOptions['startScanner'];
}

export type AddCommand = (program: Command, context: CliContext, done: (code: ExitCode) => void) => void;

/** A command that could not run: one line for people, exit code 2. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
  }
}

export const writeLine = (context: CliContext, line: string): void => void context.out.write(`${line}\n`);
export const writeError = (context: CliContext, line: string): void => void context.err.write(`${line}\n`);

/** Prints the single document of a command with `--json`. */
export const writeJson = (context: CliContext, value: unknown): void =>
  writeLine(context, JSON.stringify(value, null, 2));

/** Lets signals arrive during long synchronous work, and ends the work when the process is asked to end. */
export async function yieldToSignals({ stop }: CliContext): Promise<void> {
  await turn();
  stop.throwIfAborted();
}
