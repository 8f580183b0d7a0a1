import type { Duplex } from 'node:stream';

/** Milliseconds that the other side has to read the last bytes and to close. */
const GOODBYE_MS = 2_000;

/**
 * Ends a connection with a last text. If the other side leaves it half open, it is cut off; otherwise it would be held
 * for ever.
 */
export function endWith(socket: Duplex, words = ''): void {
  const timer = setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(words);
}
