import { setImmediate as turn } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CoreOptions } from '../surfaces/content-core.ts';

/** Exit codes of every command. */
export const EXIT = { ok: 0, findings: 1, failed: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a command has of the world: nothing else of the process is touched. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** How this program is started, for a command that starts it again: what stands before the arguments. */
  program: readonly string[];
  /** Read only by options that say so and, where it is a terminal, for an answer: a command never waits for input without one. */
  input: AsyncIterable<string | Uint8Array> & { isTTY?: boolean };
  out: { write(text: string | Uint8Array): unknown; isTTY?: boolean };
  err: { write(text: string): unknown; isTTY?: boolean };
  /** Aborts when the process is asked to end. */
  stop: AbortSignal;
  /** What reads content; a thread unless given. */
  startScanner?: CoreOptions['startScanner'];
}

/** Adds one command to the program; its action reports the exit code. */
export type AddCommand = (program: Command, context: CliContext, done: (code: ExitCode) => void) => void;

/** A command that could not run: one line for people, exit code 2. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
  }
}

export const say = (context: CliContext, line: string): void => void context.out.write(`${line}\n`);
export const complain = (context: CliContext, line: string): void => void context.err.write(`${line}\n`);

/** The one document that a command with `--json` prints. */
export const sayJson = (context: CliContext, value: unknown): void =>
  say(context, JSON.stringify(value, null, 2));

/** Lets signals arrive during long synchronous work, and ends it when the process is asked to end. */
export async function breathe({ stop }: CliContext): Promise<void> {
  await turn();
  stop.throwIfAborted();
}
