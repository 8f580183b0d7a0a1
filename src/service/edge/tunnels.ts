import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { endWith } from '../../kit/http/end-with.ts';
import { type HeaderLists, replyHeaders } from './forwarded-headers.ts';

/** A caller's connection that asks to become a WebSocket. */
export interface UpgradeAsked {
  socket: Socket;
  head: Buffer;
  response: ServerResponse;
}

interface Switched {
  socket: Socket;
  head: Buffer;
  response: IncomingMessage;
  requestId: string;
}

const KEEP_ALIVE_MS = 30_000;

/** Connections that are no HTTP any more: they are passed through byte by byte until either side ends. */
export function createTunnels() {
  const asked = new WeakMap<IncomingMessage, UpgradeAsked>();
  const open = new Set<Duplex>();

  function take(socket: Socket): void {
    socket.setTimeout(0);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setNoDelay(true);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  }

  return {
    /** Lets requests for an upgrade take the way of all others. */
    attach(app: FastifyInstance): void {
      app.server.on('upgrade', (message: IncomingMessage, duplex: Duplex, head: Buffer) => {
        const socket = duplex as Socket;
        socket.on('error', () => socket.destroy());
        const response = new ServerResponse(message);
        response.shouldKeepAlive = false;
        response.assignSocket(socket);
        response.once('finish', () => endWith(socket));
        asked.set(message, { socket, head, response });
        app.routing(message, response);
      });
    },

    asked: (message: IncomingMessage): UpgradeAsked | null => asked.get(message) ?? null,

    /** Joins the caller's connection with the one that a service has switched. */
    join(caller: UpgradeAsked, service: Switched): void {
      caller.response.detachSocket(caller.socket);
      take(caller.socket);
      take(service.socket);
      caller.socket.write(switchingReply(replyHeaders(service.response, service.requestId)));
      caller.socket.write(service.head);
      service.socket.write(caller.head);
      const end = () => {
        caller.socket.destroy();
        service.socket.destroy();
      };
      Promise.all([pipeline(caller.socket, service.socket), pipeline(service.socket, caller.socket)]).then(
        end,
        end,
      );
    },

    close(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

export type Tunnels = ReturnType<typeof createTunnels>;

function switchingReply(headers: HeaderLists): string {
  const lines = Object.entries({ ...headers, connection: 'Upgrade', upgrade: 'websocket' }).flatMap(
    ([name, values]) => [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`;
}
