import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Ends a reply that has no end of its own once the server begins to close. */
export type EndOnClose = (reply: Readable) => void;

/** Milliseconds for a request that is on its way over a new connection. */
const ON_ITS_WAY_MS = 250;

/** Closing waits for every connection: this ends those on which nothing is going on that will come to an end. */
export function endOnClose(app: FastifyInstance): EndOnClose {
  const unused = new Set<Socket>();
  const endless = new Set<Readable>();
  let isClosing = false;
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.server.on('upgrade', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', async () => {
    isClosing = true;
    // A connection with a running request is not kept after it.
    app.server.keepAliveTimeout = 1;
    // Node takes a connection without a request so far for a busy one.
    setTimeout(() => {
      for (const socket of unused) socket.destroy();
    }, ON_ITS_WAY_MS).unref();
    for (const reply of endless) reply.destroy();
  });
  return (reply) => {
    if (isClosing) reply.destroy();
    else {
      endless.add(reply);
      reply.once('close', () => endless.delete(reply));
    }
  };
}
