/** Exit codes of every command. */
export const EXIT = { ok: 0, findings: 1, failed: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a command has of the world: nothing else of the process is touched. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  out: { write(text: string): unknown; isTTY?: boolean };
  err: { write(text: string): unknown; isTTY?: boolean };
  /** Aborts when the process is asked to end. */
  stop: AbortSignal;
}

/** A command that could not run: one line for people, exit code 2. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
  }
}

export const say = (context: CliContext, line: string): void => void context.out.write(`${line}\n`);
export const complain = (context: CliContext, line: string): void => void context.err.write(`${line}\n`);
