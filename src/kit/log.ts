export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes lines of the form `YYYY-MM-DD HH:MM:SS | LEVEL | source | message` (spec 1 §4.11). */
export interface Log {
  debug(message: string): void;
  /** If not, busy callers need not build the lines. */
  readonly isDebugging: boolean;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  child(source: string): Log;
}

export const silentLog: Log = {
  debug: () => {},
  isDebugging: false,
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
