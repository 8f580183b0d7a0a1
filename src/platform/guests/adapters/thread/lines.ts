import { TextDecoder } from 'node:util';
import type { GuestLogLevel } from '../../host.ts';
import type { WriteLog } from './bounded-log.ts';
import type { Stream } from './wasi-options.ts';

const LEVEL: Record<Stream, GuestLogLevel> = { out: 'info', err: 'warn' };
/** A line that does not end is written in pieces. */
const MOST_CHARACTERS = 4_000;

/** Lines of what a guest writes to its standard output and error, for the log. */
export function createLines(write: WriteLog) {
  const decoders = { out: new TextDecoder(), err: new TextDecoder() };
  const rest: Record<Stream, string> = { out: '', err: '' };

  function pass(stream: Stream, line: string): void {
    if (line !== '') write(LEVEL[stream], line);
  }

  /** Writes what has no line end yet. */
  function end(stream: Stream): void {
    pass(stream, rest[stream]);
    rest[stream] = '';
  }

  return {
    add(stream: Stream, bytes: Uint8Array): void {
      const lines = (rest[stream] + decoders[stream].decode(bytes, { stream: true })).split('\n');
      rest[stream] = lines.pop() ?? '';
      for (const line of lines) pass(stream, line);
      if (rest[stream].length > MOST_CHARACTERS) end(stream);
    },
    end,
  };
}
