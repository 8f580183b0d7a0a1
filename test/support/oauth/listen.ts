import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TestServer {
  url: string;
  /** `down`: answers 503. `frozen`: never answers. */
  state: 'up' | 'down' | 'frozen';
  /** Requests so far. */
  asked: number;
  close(): Promise<void>;
}

/** On a free local port; the handler is made once the port is known. */
export async function listen(handlerFor: (url: string) => Promise<RequestListener>): Promise<TestServer> {
  let handler: RequestListener = () => {};
  const server: Server = createServer((request, response) => {
    running.asked += 1;
    if (running.state === 'frozen') return;
    if (running.state === 'down') return void response.writeHead(503).end();
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running: TestServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'up',
    asked: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  handler = await handlerFor(running.url);
  return running;
}

export const readForm = async (request: NodeJS.ReadableStream): Promise<URLSearchParams> =>
  new URLSearchParams(await text(request));
