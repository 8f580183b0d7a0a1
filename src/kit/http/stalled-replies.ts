import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds. */
export interface ReplyPace {
  /** How long a caller may leave a reply unread. */
  stalledMs: number;
  checkMs: number;
}

/** Ends connections whose callers have stopped reading: their replies would stay in memory for ever. */
export function endStalledReplies(app: FastifyInstance, { stalledMs, checkMs }: ReplyPace): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of open) {
      // Any read restarts the timeout; the server ends a connection that times out.
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stalledMs);
      // Everything was read, and a reply may be pausing between its own parts.
      else if (socket.writableLength === 0 && socket.timeout === stalledMs) socket.setTimeout(0);
    }
  }, checkMs).unref();
  app.addHook('onClose', () => clearInterval(timer));
}
