import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface BodyPace {
  /** Milliseconds until a JSON body must be complete. */
  jsonMs: number;
  /** Milliseconds in each of which any other body must bring `leastBytes`. */
  windowMs: number;
  leastBytes: number;
}

const PACE: BodyPace = { jsonMs: 50_000, windowMs: 20_000, leastBytes: 20_000 };

/**
 * Ends requests whose bodies trickle in: each would hold a connection, and whatever it waits for, for as long as its
 * sender likes.
 */
export function refuseSlowBodies(app: FastifyInstance, pace: BodyPace = PACE): void {
  app.addHook('onRequest', (request, reply, done) => {
    // An injected request has no real connection to hold.
    if (hasBody(request.raw) && request.raw.socket instanceof Socket) watch(request, reply, pace);
    done();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\b/i.test(headers['content-type'] ?? '');

function watch(
  request: FastifyRequest,
  reply: FastifyReply,
  { jsonMs, windowMs, leastBytes }: BodyPace,
): void {
  const { raw } = request;
  const { socket } = raw;
  let seen = socket.bytesRead;
  const check = () => {
    if (raw.complete) return stop();
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // Bytes that wait here to be read are not the sender's fault.
    if (!isJson(raw) && (came >= leastBytes || raw.readableLength > 0 || socket.isPaused())) return;
    stop();
    refuse(request, reply);
  };
  // After a stall of this process, timers run before the sockets are read: what arrived meanwhile counts.
  const timer = setInterval(() => setImmediate(check), isJson(raw) ? jsonMs : windowMs).unref();
  const stop = () => clearInterval(timer);
  raw.once('close', stop);
  raw.once('end', stop);
}

/** The reader of the body gets an error; the reply is sent directly, and the connection is closed. */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  if (raw.headersSent || reply.sent) {
    // A reply that was already sent cannot be replaced.
    request.raw.socket.destroy();
    return;
  }
  reply.hijack();
  const body = JSON.stringify({
    detail:
      'The request arrived too slowly: send it again over a better connection, or send a large file in parts',
    code: 'too_slow',
  });
  raw.writeHead(408, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  raw.end(body, () => raw.destroy());
}
