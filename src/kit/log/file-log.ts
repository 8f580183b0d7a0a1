import { type Clock, systemClock } from '../clock.ts';
import type { Log, LogLevel } from '../log.ts';
import { createFileWriter } from './file-writer.ts';
import { formatLine } from './format.ts';
import { severityOf } from './levels.ts';
import type { LogName } from './log-names.ts';

const MAX_BYTES = 10_000_000;

export interface FileLogOptions {
  folder: string;
  name: LogName;
  level: LogLevel;
  source: string;
  /** Receives every line too, such as a terminal's stderr. */
  alsoTo?: { write(text: string): unknown };
  clock?: Clock;
  maxBytes?: number;
}

export interface FileLog extends Log {
  flush(): Promise<void>;
  close(): Promise<void>;
}

const ignored = (): void => {};

/** Credentials are masked. Lines still queued when the process exits are written. */
export function createFileLog(options: FileLogOptions): FileLog {
  const { folder, name, level, alsoTo, clock = systemClock, maxBytes = MAX_BYTES } = options;
  const onFailure = (message: string) => void alsoTo?.write(`${message}\n`);
  const writer = createFileWriter({ folder, name, maxBytes, onFailure });
  process.once('exit', writer.flushNow);

  const writerOf = (line: LogLevel, source: string) => {
    if (severityOf(line) < severityOf(level)) return ignored;
    return (message: string): void => {
      const text = formatLine(clock.now(), line, source, message);
      writer.write(text);
      alsoTo?.write(text);
    };
  };
  const logAs = (source: string): Log => ({
    debug: writerOf('debug', source),
    isDebugging: severityOf('debug') >= severityOf(level),
    info: writerOf('info', source),
    warn: writerOf('warn', source),
    error: writerOf('error', source),
    child: logAs,
  });

  return {
    ...logAs(options.source),
    flush: writer.flush,
    async close() {
      await writer.close();
      process.off('exit', writer.flushNow);
    },
  };
}
