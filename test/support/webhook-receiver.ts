import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  event: { type: string } & Record<string, unknown>;
}

/** Doing nothing lets the sender wait. */
export type Answer = (response: ServerResponse, message: Received) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export interface Receiver {
  url: string;
  /** In order of arrival. */
  received: Received[];
  /** From now on; 204 at first. */
  answer(how: Answer): void;
  /** Of a type, on a path. */
  on(path: string, type?: string): Received[];
  /** Ends all connections. */
  hangUp(): void;
  close(): Promise<void>;
}

/** On a free local port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: Answer = answering(204);
  const server: Server = createServer(async (request, response) => {
    // The sender may be killed meanwhile.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const { headers, url: path = '' } = request;
    const message = { path, headers, text: body, event: JSON.parse(body) };
    received.push(message);
    answer(response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(how) {
      answer = how;
    },
    on: (path, type) =>
      received.filter((each) => each.path === path && (type === undefined || each.event.type === type)),
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
