export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes lines of the form `YYYY-MM-DD HH:MM:SS | LEVEL | source | message` (spec 1 §4.11). */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** The same log under another source name. */
  child(source: string): Log;
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
