import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { loadConfig } from '../../src/kit/config/index.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { EdgeTimeouts } from '../../src/service/edge/timeouts.ts';
import { createEdgeSurface, type EdgeSurface } from '../../src/surfaces/edge.surface.ts';
import { createTestClock, type TestClock } from './auth.ts';

export interface TestEdge extends EdgeSurface {
  url: string;
  clock: TestClock;
}

export interface EdgeSetup {
  accountsUrl?: string;
  coreUrls: readonly string[];
  env?: Record<string, string>;
  timeouts?: Partial<EdgeTimeouts>;
}

/** No program may have this port, so nothing listens there. */
export const NOBODY = 'http://127.0.0.1:1';

/** On a free port. */
export async function startEdge({
  accountsUrl = NOBODY,
  coreUrls,
  env = {},
  timeouts = {},
}: EdgeSetup): Promise<TestEdge> {
  const { config } = loadConfig({
    mode: 'cli',
    surface: 'edge',
    env: { ACCOUNTS_URL: accountsUrl, CORE_URL: coreUrls.join(','), ...env },
  });
  const clock = createTestClock();
  const surface = await createEdgeSurface({
    config,
    log: silentLog,
    clock,
    timeouts: { connect: 5_000, idle: 30_000, accountsIdle: 30_000, ...timeouts },
  });
  const url = await surface.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...surface, url, clock };
}

export interface FakeService {
  url: string;
  server: http.Server;
  /** Requests so far. */
  count(): number;
  close(): Promise<void>;
  /** Serves again at the same address. */
  reopen(): Promise<void>;
}

/** A scripted service over real sockets. */
export async function startFake(handler: RequestListener): Promise<FakeService> {
  let count = 0;
  const server = http.createServer((request, response) => {
    count += 1;
    // Some tests are about callers that leave.
    request.on('error', () => {});
    handler(request, response);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const upgraded = new Set<Socket>();
  server.on('upgrade', (_request, socket) => upgraded.add(socket as Socket));
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    count: () => count,
    async close() {
      if (!server.listening) return;
      server.close();
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await once(server, 'close');
    },
    reopen: () => listen(port),
  };
}

export interface Asking {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface Told {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Empty if the reply is no JSON. */
  body: Record<string, unknown>;
}

/** On a connection of its own, for tests that write its body or read its reply piece by piece. */
export function openRequest(url: string, { method = 'GET', headers = {} }: Asking = {}): http.ClientRequest {
  const { hostname, port } = new URL(url);
  // The path goes out as written: parsing would normalize what the test is about.
  const path = url.slice(new URL(url).origin.length) || '/';
  return http.request({ hostname, port, path, method, headers, agent: false });
}

export const replyTo = async (request: http.ClientRequest): Promise<IncomingMessage> => {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
};

/** Reads the whole reply. */
export async function tell(url: string, asking: Asking = {}): Promise<Told> {
  const request = openRequest(url, asking);
  const replied = replyTo(request);
  request.end(asking.body);
  const response = await replied;
  const body = await text(response);
  const isJson = String(response.headers['content-type'] ?? '').includes('json') && body !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: body,
    body: isJson ? JSON.parse(body) : {},
  };
}

/** A scripted core behind an edge. */
export async function withCore(t: TestContext, handler: RequestListener, setup: Partial<EdgeSetup> = {}) {
  const core = await startFake(handler);
  const edge = await startEdge({ coreUrls: [core.url], ...setup });
  t.after(async () => {
    await core.close();
    await edge.close();
  });
  return { core, edge, url: `${edge.url}/api/things` };
}

/** Answers with the request. */
export const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
};

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string | undefined>;
  body: string;
}
export const echoOf = (told: { body: unknown }) => told.body as Echo;

/** Resolves once a message is over, completely or not. */
export const closeOf = (message: IncomingMessage): Promise<unknown> =>
  new Promise((resolve) => (message.closed ? resolve(null) : message.once('close', resolve)));
