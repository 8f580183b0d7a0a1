import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How slowly a body may come. */
export interface BodyPace {
  /** A body of JSON is there by then (milliseconds). */
  jsonMs: number;
  /** Any other body brings `leastBytes` in each such time (milliseconds). */
  windowMs: number;
  leastBytes: number;
}

const PACE: BodyPace = { jsonMs: 50_000, windowMs: 20_000, leastBytes: 20_000 };

/** Ends requests whose bodies trickle in: each would hold a connection, and what it waits for, as long as its sender likes. */
export function refuseSlowBodies(app: FastifyInstance, pace: BodyPace = PACE): void {
  app.addHook('onRequest', (request, reply, done) => {
    // A request that no network brought has no connection to keep.
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
    // What waits here to be read is not the sender's fault.
    if (!isJson(raw) && (came >= leastBytes || raw.readableLength > 0 || socket.isPaused())) return;
    stop();
    refuse(request, reply);
  };
  const timer = setInterval(check, isJson(raw) ? jsonMs : windowMs).unref();
  const stop = () => clearInterval(timer);
  raw.once('close', stop);
  raw.once('end', stop);
}

/** Whoever reads the body hears of its end; the reply goes out beside, and the connection is of no more use. */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  if (raw.headersSent || reply.sent) {
    // A reply that is out has let go of its connection.
    request.raw.socket.destroy();
    return;
  }
  reply.hijack();
  const body = JSON.stringify({
    detail: 'The request came too slowly: send it again over a better connection, or a large file in parts',
    code: 'too_slow',
  });
  raw.writeHead(408, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  raw.end(body, () => raw.destroy());
}
