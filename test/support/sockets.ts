import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';

export interface Heard {
  type: string;
  [name: string]: unknown;
}

const DEADLINE_MS = 60_000;

/** Keeps what it hears. */
export interface TestSocket {
  heard: Heard[];
  peer: WebSocket;
  say(message: unknown): void;
  /** The next unread message of a type, including those already heard; fails if none can come. */
  next(type: string): Promise<Heard>;
  /** Resolves at the end. */
  closed: Promise<{ code: number; reason: string }>;
}

/** `ws://…`; the server listens from then on. */
export async function socketAddress(app: FastifyInstance): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/ws`;
}

export async function openTestSocket(address: string, query: Record<string, string>): Promise<TestSocket> {
  const peer = new WebSocket(`${address}?${new URLSearchParams(query)}`);
  const heard: Heard[] = [];
  const taken = new Set<Heard>();
  let wake: () => void = () => {};
  let end: { code: number; reason: string } | undefined;
  peer.on('message', (data) => {
    heard.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    peer.once('close', (code, reason) => {
      end = { code, reason: String(reason) };
      resolve(end);
      wake();
    });
  });
  await once(peer, 'open');

  async function next(type: string): Promise<Heard> {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const found = heard.find((message) => message.type === type && !taken.has(message));
      if (found) {
        taken.add(found);
        return found;
      }
      if (end) assert.fail(`no ${type} before the end, ${end.code} ${end.reason}`);
      const left = deadline - performance.now();
      assert.ok(left > 0, `no ${type} in time, but ${JSON.stringify(heard)}`);
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
  }

  return { heard, peer, say: (message) => peer.send(JSON.stringify(message)), next, closed };
}
