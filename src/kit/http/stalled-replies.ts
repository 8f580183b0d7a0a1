import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds. */
export interface ReplyPace {
  /** So long a caller may leave unread what was sent. */
  stalledMs: number;
  /** How often connections are looked at for that. */
  checkMs: number;
}

/** Ends connections whose callers read nothing any more: their replies would be held in memory for ever. */
export function endStalledReplies(app: FastifyInstance, { stalledMs, checkMs }: ReplyPace): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of open) {
      // Whoever reads, however slowly, begins anew; a connection that times out is ended by the server.
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stalledMs);
      // All was read, and a reply may be waiting for more of its own.
      else if (socket.writableLength === 0 && socket.timeout === stalledMs) socket.setTimeout(0);
    }
  }, checkMs).unref();
  app.addHook('onClose', () => clearInterval(timer));
}
