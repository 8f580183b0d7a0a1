import { notFound } from '../../kit/errors.ts';
import { isLogName, LOG_NAMES, type LogFiles, type LogName } from '../../kit/log/index.ts';
import type { LogLevel } from '../../kit/log.ts';
import type { LOG_LEVEL_WORDS } from './logs.contract.ts';

interface LogAsk {
  lines?: number | undefined;
  level?: (typeof LOG_LEVEL_WORDS)[number] | undefined;
  search?: string | undefined;
}

const DEFAULT_LINES = 200;

function known(name: string): LogName {
  if (isLogName(name)) return name;
  throw notFound(`There is no log '${name}'. The logs are ${LOG_NAMES.join(', ')}`, { code: 'no_such_log' });
}

const levelOf = (word: NonNullable<LogAsk['level']>): LogLevel => {
  const level = word.toLowerCase() as Lowercase<typeof word>;
  return level === 'warning' ? 'warn' : level;
};

/** The logs for administrators (spec 1 §4.11); 404 for an unknown name. */
export const createLogs = (files: LogFiles) => ({
  async list() {
    return { logs: await files.list() };
  },
  async read(name: string, { lines = DEFAULT_LINES, level, search }: LogAsk) {
    const log_name = known(name);
    return { log_name, lines: await files.read(log_name, { lines, level: level && levelOf(level), search }) };
  },
  async clear(name: string) {
    const log_name = known(name);
    await files.clear(log_name);
    return { log_name, message: `The log ${log_name} is empty now` };
  },
});

export type Logs = ReturnType<typeof createLogs>;
