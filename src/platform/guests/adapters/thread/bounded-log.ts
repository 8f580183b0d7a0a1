import type { GuestLogLevel } from '../../host.ts';
import { CELL } from './messages.ts';

const MOST_LINES = 200;
const MOST_CHARACTERS = 64 * 1024;
const MOST_LINE = 4_000;

export type WriteLog = (level: GuestLogLevel, message: string) => void;

/** Passes on what one call may log. The rest is counted where the other thread sees it, even if this one is ended. */
export function createBoundedLog(write: WriteLog, shared: Int32Array) {
  let lines = 0;
  let characters = 0;
  return {
    write(level: GuestLogLevel, message: string): void {
      const line = message.slice(0, MOST_LINE);
      lines += 1;
      characters += line.length;
      if (lines > MOST_LINES || characters > MOST_CHARACTERS) Atomics.add(shared, CELL.leftOut, 1);
      else write(level, line);
    },
    begin(): void {
      lines = 0;
      characters = 0;
    },
  };
}

export type BoundedLog = ReturnType<typeof createBoundedLog>;
