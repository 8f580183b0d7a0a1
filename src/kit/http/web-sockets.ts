import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE, type Connection } from '../connection.ts';
import { badRequest, type HttpError, notFound } from '../errors.ts';
import type { Route } from '../route.ts';
import { endWith } from './end-with.ts';
import type { Guard } from './local-guard.ts';

const LONGEST_MESSAGE = 16 * 1024;
/** A peer that has not answered one ping by the next is gone. */
const PING_EVERY_MS = 20_000;
/** Milliseconds that peers have to close when the service stops. */
const GOODBYE_MS = 1_000;

type SocketRoute = Route & Required<Pick<Route, 'connect'>>;
const takesSockets = (route: Route): route is SocketRoute => route.connect !== undefined;

/**
 * Hands WebSockets to their routes. Only a token authenticates them, never a cookie, so a page of another site cannot
 * open one in somebody's name.
 */
export function acceptWebSockets(
  app: FastifyInstance,
  routes: readonly Route[],
  guard: Guard = () => null,
): void {
  const byPath = new Map(routes.filter(takesSockets).map((route) => [route.contract.path, route]));
  if (byPath.size === 0) return;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE,
    perMessageDeflate: false,
  });
  const answering = new WeakSet<WebSocket>();

  // A malformed handshake, such as one with a wrong version or without a key.
  server.on('wsClientError', ({ message }: Error, socket: Duplex) =>
    refuse(socket, badRequest(`This is no WebSocket handshake: ${message}`)),
  );

  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Not every request's target is an address.
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const route = url && byPath.get(url.pathname);
    const refusal = guard(request);
    if (refusal !== null || !route) {
      refuse(socket, refusal ?? notFound(`There is no WebSocket at ${url?.pathname ?? 'this address'}`));
      return;
    }
    server.handleUpgrade(request, socket, head, (peer) => {
      answering.add(peer);
      peer.on('pong', () => answering.add(peer));
      // A malformed or overlong message closes the connection with a reason; nothing else needs doing.
      peer.on('error', () => {});
      route.connect(connectionOf(peer), {
        query: Object.fromEntries(url.searchParams),
        bearer: bearerOf(request),
      });
    });
  });

  const pings = setInterval(() => {
    for (const peer of server.clients) {
      if (answering.delete(peer)) peer.ping();
      else peer.terminate();
    }
  }, PING_EVERY_MS).unref();

  app.addHook('preClose', async () => {
    clearInterval(pings);
    await sayGoodbye(server);
  });
}

const bearerOf = ({ headers }: IncomingMessage): string | null =>
  /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim() ?? null;

function refuse(socket: Duplex, { status, message }: HttpError): void {
  const body = JSON.stringify({ detail: message });
  // The caller may be gone before the reply; that must not raise an error.
  socket.on('error', () => {});
  endWith(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const connectionOf = (peer: WebSocket): Connection => ({
  send: (text) => peer.send(text),
  waiting: () => peer.bufferedAmount,
  close: (code, reason) => peer.close(code, reason),
  onMessage: (listener) => void peer.on('message', (data) => listener(String(data))),
  onClose: (listener) => void peer.on('close', listener),
});

async function sayGoodbye(server: WebSocketServer): Promise<void> {
  const peers = [...server.clients];
  const closed = peers.map((peer) => new Promise<void>((resolve) => peer.once('close', () => resolve())));
  for (const peer of peers) peer.close(CLOSE.goingAway, 'the service is stopping: connect again');
  const timer = setTimeout(() => {
    for (const peer of peers) peer.terminate();
  }, GOODBYE_MS);
  await Promise.all(closed);
  clearTimeout(timer);
}
