import { Buffer } from 'node:buffer';
import type { GuestFailure } from '../../guests.ts';
import type { GuestLogLevel } from '../../host.ts';
import type { PreparedGuest } from '../prepared.ts';

export interface ThreadStart {
  prepared: Pick<PreparedGuest, 'glue' | 'modules'>;
  /** The cells below. */
  shared: Int32Array;
}

/** Cells of the memory that both threads see. */
export const CELL = {
  /** 1 once the answer of the host is there. */
  answered: 0,
  /** Lines of this call that were too many for the log. */
  leftOut: 1,
  /** Milliseconds that the guest has slept in this call: its own time, though no processor works. */
  slept: 2,
  count: 3,
};

export interface CallOrder {
  interface: string;
  method: string;
  args: readonly unknown[];
}

export interface HostQuestion {
  type: 'host';
  /** Such as `kv.get`. */
  name: string;
  args: readonly unknown[];
}

/** `refused` is an error for the guest; after `stop` it must not go on. */
export type HostAnswer =
  | { value: unknown }
  | { refused: string }
  | { stop: 'host' | 'bad_result'; message: string };

export interface LogLine {
  type: 'log';
  level: GuestLogLevel;
  message: string;
}

export type Outcome =
  /** `isLast`: the instance must not go on, since it has taken all of its memory. */
  | { type: 'done'; result: unknown; isLast: boolean }
  | { type: 'failed'; code: GuestFailure; message: string };

/** With what the thread has worked until then, in milliseconds. */
export type EndOfCall = Outcome & { workedMs: number };

export type ThreadMessage = HostQuestion | LogLine | EndOfCall;

/** Of one call, in either direction: arguments of host functions, results, and answers of the host together. */
export const MOST_BYTES = 1024 * 1024;
export const MOST_ANSWER_BYTES = 4 * MOST_BYTES;

/** Bytes of all texts in a value, with some for everything else; stops counting beyond `most`. */
export function sizeOf(value: unknown, most: number): number {
  let size = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && size <= most) {
    const item = rest.pop();
    size += 8;
    if (typeof item === 'string') size += item.length > most ? item.length : Buffer.byteLength(item);
    else if (ArrayBuffer.isView(item)) size += item.byteLength;
    else if (typeof item === 'object' && item !== null) {
      for (const part of Object.values(item)) rest.push(part);
    }
  }
  return size;
}
