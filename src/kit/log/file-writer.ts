import { appendFileSync, mkdirSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { messageOf } from '../errors.ts';
import { KEPT_FILES, type LogName, logPath } from './log-names.ts';

const FLUSH_AFTER_MS = 100;
/** Limit of the queue for a disk that does not respond; further lines are dropped and counted. */
const MOST_WAITING_CHARACTERS = 4_000_000;

export interface FileWriterOptions {
  folder: string;
  name: LogName;
  /** The file is rotated at this size. */
  maxBytes: number;
  /** Once each time that writing starts to fail. */
  onFailure: (message: string) => void;
}

export interface FileWriter {
  /** It reaches the file within about 100 ms. */
  write(line: string): void;
  /** Resolves when all lines so far are in the file, or lost because it cannot be written. */
  flush(): Promise<void>;
  /** Writes queued lines synchronously, at the end of the process. */
  flushNow(): void;
  close(): Promise<void>;
}

/** Appends lines to a log file in the background. A full or missing disk loses lines but never stops the service. */
export function createFileWriter({ folder, name, maxBytes, onFailure }: FileWriterOptions): FileWriter {
  const path = logPath(folder, name);
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let timer: NodeJS.Timeout | null = null;
  let handle: FileHandle | null = null;
  let failing = false;
  let running: Promise<void> = Promise.resolve();

  const take = (): string => {
    const text = waiting.join('');
    waiting = [];
    waitingCharacters = 0;
    return text;
  };

  async function rotate(): Promise<void> {
    await handle?.close();
    handle = null;
    for (let age = KEPT_FILES; age > 0; age -= 1) {
      await rename(logPath(folder, name, age - 1), logPath(folder, name, age)).catch(() => {});
    }
  }

  /** The size is read each time, since clearing the log shrinks the file behind the writer's back. */
  async function append(text: string): Promise<void> {
    handle ??= await open(path, 'a', 0o600);
    const { size } = await handle.stat();
    if (size > 0 && size + text.length > maxBytes) await rotate();
    handle ??= await open(path, 'a', 0o600);
    await handle.appendFile(text);
  }

  async function drain(): Promise<void> {
    if (waiting.length === 0) return;
    try {
      await append(take());
      failing = false;
    } catch (error) {
      if (!failing) onFailure(`the log ${path} cannot be written, lines are lost: ${messageOf(error)}`);
      failing = true;
    }
  }

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    running = running.then(drain);
    return running;
  };

  mkdirSync(folder, { recursive: true, mode: 0o700 });

  return {
    write(line) {
      if (waitingCharacters > MOST_WAITING_CHARACTERS) return;
      waiting.push(line);
      waitingCharacters += line.length;
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    flush,
    flushNow() {
      try {
        if (waiting.length > 0) appendFileSync(path, take(), { mode: 0o600 });
      } catch (error) {
        onFailure(`the last lines of the log ${path} are lost: ${messageOf(error)}`);
      }
    },
    async close() {
      await flush();
      await handle?.close();
      handle = null;
    },
  };
}
