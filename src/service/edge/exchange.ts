import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { HeaderLists } from './forwarded-headers.ts';
import type { Timeouts } from './timeouts.ts';
import type { Target } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

export interface Message {
  method: string;
  /** As sent, including the query. */
  url: string;
  headersFor(host: string): HeaderLists;
  /** Bytes can be sent again, a stream cannot. */
  body: Buffer | Readable | null;
  /** True if it may be sent again when the connection ends without an answer. */
  repeatable: boolean;
  /** Aborts when the caller has left. */
  signal: AbortSignal;
}

/** The service's reply. With `switched`, the connection has become a WebSocket, and `head` holds its first bytes. */
export interface UpstreamResponse {
  response: IncomingMessage;
  switched?: { socket: Socket; head: Buffer };
}

/** Connects without sending anything, so that another process can take the message if this one cannot. */
export async function connect(target: Target, message: Message, timeouts: Timeouts): Promise<ClientRequest> {
  const options = {
    method: message.method,
    path: target.prefix + message.url,
    headers: message.headersFor(target.host),
    signal: message.signal,
  };
  // A kept connection may close just as we send: only a repeatable message survives that.
  const request = target.request(options, !message.repeatable);
  // `connect` and `exchange` report errors themselves; an error between the two must not crash the process.
  request.on('error', () => {});
  const timer = setTimeout(
    () => request.destroy(new UpstreamError('unreachable', 'no connection')),
    timeouts.connect,
  );
  try {
    const [socket] = (await once(request, 'socket')) as [Socket];
    if (!request.reusedSocket) await connected(request, socket);
    return request;
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError('refused', error);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the socket can be written to; rejects with the request's error. */
async function connected(request: ClientRequest, socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ready = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
  socket.once(ready, resolve);
  request.once('error', reject);
  try {
    await promise;
  } finally {
    socket.off(ready, resolve);
    request.off('error', reject);
  }
}

/** Sends the message and resolves to the reply, its body still unread. */
export async function exchange(
  request: ClientRequest,
  message: Message,
  timeouts: Timeouts,
): Promise<UpstreamResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
  let answer: UpstreamResponse | null = null;
  const arrived = (found: UpstreamResponse) => {
    answer = found;
    resolve(found);
  };
  request.on('response', (response) => arrived({ response }));
  request.on('upgrade', (response, socket, head) =>
    arrived({ response, switched: { socket: socket as Socket, head } }),
  );
  request.on('error', (error) =>
    reject(error instanceof UpstreamError ? error : new UpstreamError('cut', error)),
  );
  request.setTimeout(timeouts.idle, () => {
    const error = new UpstreamError('idle', 'nothing came');
    if (answer) answer.response.destroy(error);
    else request.destroy(error);
  });
  if (request.destroyed) reject(new UpstreamError('cut', request.errored));
  else send(request, message.body);
  return promise;
}

function send(request: ClientRequest, body: Message['body']): void {
  if (body === null || Buffer.isBuffer(body)) {
    request.end(body ?? undefined);
    return;
  }
  const pieces = answersFirst();
  body.pipe(pieces).pipe(request);
  // The caller's connection outlives a broken one to a process: it must carry the error reply.
  request.once('close', () => body.unpipe(pieces));
}

/** Reads an early answer before the next chunk: writing to a connection closed after its answer loses the answer. */
const answersFirst = (): Transform =>
  new Transform({ transform: (piece, _encoding, done) => void setImmediate(done, null, piece) });
