import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { endWith } from '../../kit/http/end-with.ts';
import { type HeaderLists, replyHeaders } from './forwarded-headers.ts';

/** A caller's connection that asks to become a WebSocket. */
export interface UpgradeRequest {
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

/** Connections that have left HTTP: they are passed through byte by byte until either side ends. */
export function createTunnels() {
  const upgrades = new WeakMap<IncomingMessage, UpgradeRequest>();
  const open = new Set<Duplex>();

  function take(socket: Socket): void {
    socket.setTimeout(0);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setNoDelay(true);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  }

  return {
    /** Sends requests for an upgrade through the same handlers as all others. */
    attach(app: FastifyInstance): void {
      app.server.on('upgrade', (message: IncomingMessage, duplex: Duplex, head: Buffer) => {
        const socket = duplex as Socket;
        socket.on('error', () => socket.destroy());
        const response = new ServerResponse(message);
        response.shouldKeepAlive = false;
        response.assignSocket(socket);
        response.once('finish', () => endWith(socket));
        upgrades.set(message, { socket, head, response });
        app.routing(message, response);
      });
    },

    upgradeOf: (message: IncomingMessage): UpgradeRequest | null => upgrades.get(message) ?? null,

    /** Joins the caller's connection with the one that a service has upgraded. */
    join(caller: UpgradeRequest, service: Switched): void {
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
