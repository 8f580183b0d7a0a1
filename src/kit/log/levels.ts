import type { LogLevel } from '../log.ts';

/** From the least to the most severe. */
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Spec 1 §4.11. */
export const LEVEL_WORDS: Readonly<Record<LogLevel, string>> = {
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARNING',
  error: 'ERROR',
};

export const severityOf = (level: LogLevel): number => LOG_LEVELS.indexOf(level);
