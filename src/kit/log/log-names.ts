import { join } from 'node:path';

/** Spec 1 §4.11. */
export const LOG_NAMES = ['backend-api', 'ai-service', 'frontend-studio'] as const;
export type LogName = (typeof LOG_NAMES)[number];

export const isLogName = (text: string): text is LogName => (LOG_NAMES as readonly string[]).includes(text);

/** Beside the current one. */
export const KEPT_FILES = 3;

export const logPath = (folder: string, name: LogName, age = 0): string =>
  join(folder, age === 0 ? `${name}.log` : `${name}.log.${age}`);
