import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { HeaderLists } from './forwarded-headers.ts';
import type { Patience } from './patience.ts';
import type { Target } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

export interface Message {
  method: string;
  /** As sent, query included. */
  url: string;
  headersFor(host: string): HeaderLists;
  /** Bytes that can be sent again, or a stream that cannot. */
  body: Buffer | Readable | null;
  /** Whether it may be sent again when the connection ends without an answer. */
  repeatable: boolean;
  /** Ends everything: the caller has left. */
  signal: AbortSignal;
}

/** What came back. `socket`: the connection is a WebSocket's from now on, and `head` its first bytes. */
export interface Answer {
  response: IncomingMessage;
  switched?: { socket: Socket; head: Buffer };
}

/** Connects to a process and sends nothing yet, so that another one can take the message when this one does not. */
export async function connect(target: Target, message: Message, patience: Patience): Promise<ClientRequest> {
  const options = {
    method: message.method,
    path: target.prefix + message.url,
    headers: message.headersFor(target.host),
    signal: message.signal,
  };
  // A kept connection may end in the moment of sending, which only what may be sent again survives.
  const request = target.request(options, !message.repeatable);
  // Whoever waits for the request hears of its errors; this one is for those that come in between.
  request.on('error', () => {});
  const timer = setTimeout(
    () => request.destroy(new UpstreamError('unreachable', 'no connection')),
    patience.connect,
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

/** Resolves when the socket can be written to; errors come by the request. */
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

/** Sends the message and resolves to what comes back, its body still to be read. */
export async function exchange(
  request: ClientRequest,
  message: Message,
  patience: Patience,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let answer: Answer | null = null;
  const arrived = (found: Answer) => {
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
  request.setTimeout(patience.idle, () => {
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
  // The caller's connection outlives a broken one to a process: it is to carry the reply that tells of it.
  request.once('close', () => body.unpipe(pieces));
}

/** Passes pieces on after what has come meanwhile was read: writing to a connection that was closed after an answer loses it. */
const answersFirst = (): Transform =>
  new Transform({ transform: (piece, _encoding, done) => void setImmediate(done, null, piece) });
