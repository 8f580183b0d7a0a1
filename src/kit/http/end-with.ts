import type { Duplex } from 'node:stream';

/** The other side has this long to read the last words, and to close. */
const GOODBYE_MS = 2_000;

/** Ends a connection with its last words. One that the other side then leaves half open would be held for ever: it is cut off. */
export function endWith(socket: Duplex, words = ''): void {
  const timer = setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(words);
}
