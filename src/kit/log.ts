export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes lines of the form `YYYY-MM-DD HH:MM:SS | LEVEL | source | message` (spec 1 §4.11). */
export interface Log {
  debug(message: string): void;
  /** Whether debug lines are kept; false saves the busiest callers making them. */
  readonly isDebugging: boolean;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** The same log under another source name. */
  child(source: string): Log;
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: () => {},
  isDebugging: false,
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
