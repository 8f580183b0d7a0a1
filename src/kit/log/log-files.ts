import { rm, stat, truncate } from 'node:fs/promises';
import { isoTime } from '../clock.ts';
import type { LogLevel } from '../log.ts';
import { LEVEL_WORDS, LOG_LEVELS, severityOf } from './levels.ts';
import { KEPT_FILES, LOG_NAMES, type LogName, logPath } from './log-names.ts';
import { linesBackwards } from './read-backwards.ts';

export interface LogFile {
  name: LogName;
  size_bytes: number;
  /** ISO 8601. */
  modified_at: string;
}

export interface LogQuery {
  lines: number;
  /** The least severe level to show; lines in another format have no level and are shown only without it. */
  level?: LogLevel | undefined;
  /** In any case of letters. */
  search?: string | undefined;
}

export interface LogFiles {
  list(): Promise<LogFile[]>;
  /** Oldest first. */
  read(name: LogName, query: LogQuery): Promise<string[]>;
  /** Even while it is being written. */
  clear(name: LogName): Promise<void>;
}

/** Characters. */
const LARGEST_ANSWER = 4_000_000;

const unlessMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

export interface LogFilesOptions {
  folder: string;
  /** Without it a reply may lack the last 100 ms. */
  flush?: () => Promise<void>;
}

export function createLogFiles({ folder, flush = async () => {} }: LogFilesOptions): LogFiles {
  const describe = async (name: LogName): Promise<LogFile | null> => {
    const found = await stat(logPath(folder, name)).catch(unlessMissing);
    return found && { name, size_bytes: found.size, modified_at: isoTime(found.mtimeMs) };
  };

  return {
    async list() {
      await flush();
      return (await Promise.all(LOG_NAMES.map(describe))).filter((file) => file !== null);
    },
    async read(name, query) {
      await flush();
      const matches = matcher(query);
      const found: string[] = [];
      let size = 0;
      for (let age = 0; age <= KEPT_FILES; age += 1) {
        for await (const line of linesBackwards(logPath(folder, name, age))) {
          if (found.length >= query.lines || size > LARGEST_ANSWER) return found.reverse();
          if (!matches(line)) continue;
          found.push(line);
          size += line.length;
        }
      }
      return found.reverse();
    },
    async clear(name) {
      await flush();
      for (let age = 1; age <= KEPT_FILES; age += 1) await rm(logPath(folder, name, age), { force: true });
      await truncate(logPath(folder, name)).catch(unlessMissing);
    },
  };
}

function matcher({ level, search }: LogQuery): (line: string) => boolean {
  const words = LOG_LEVELS.filter((each) => severityOf(each) >= severityOf(level ?? 'debug')).map(
    (each) => LEVEL_WORDS[each],
  );
  const wanted = search?.toLowerCase() ?? '';
  return (line) => {
    if (level !== undefined && !words.includes(line.split(' | ', 2)[1] ?? '')) return false;
    return wanted === '' || line.toLowerCase().includes(wanted);
  };
}
