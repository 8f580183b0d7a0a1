import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Reply, RouteRequest } from '../../../kit/route.ts';
import { unlessAborted } from '../../../kit/unless-aborted.ts';
import { tellClient } from '../protocol/tell-client.ts';
import type { ResourceListener } from '../resources/watch-resources.ts';
import { replyOf, webRequest } from './web-messages.ts';

/** Longer than a proxy would leave a stream open; clients open it again. */
const STREAM_MS = 30 * 60_000;

/**
 * Answers one message with a server and a transport that serve no other: what belongs to a session is in the shared store, so that its next
 * message may reach another core.
 */
export async function answerMessage(
  request: RouteRequest,
  headers: Readonly<Record<string, string>>,
  server: Server,
): Promise<Reply> {
  const { method } = request.body as { method?: string };
  const transport = new WebStandardStreamableHTTPServerTransport({
    // Only a tool's call may take long: events keep its connection alive.
    enableJsonResponse: method !== 'tools/call',
  });
  await server.connect(transport);
  const close = () => void server.close();
  const gone = request.callerGone();
  gone.addEventListener('abort', close, { once: true });
  const response = await unlessAborted(
    gone,
    transport.handleRequest(webRequest('POST', request), { parsedBody: request.body }),
  );
  return replyOf(response, { headers, endless: false, onEnd: close });
}

export interface StreamParts {
  /** Resolves to what ends it. */
  watch(listener: ResourceListener): Promise<() => void>;
  onEnd(): void;
}

/** The event stream of a session. */
export async function openStream(
  request: RouteRequest,
  server: Server,
  { watch, onEnd }: StreamParts,
): Promise<Reply> {
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  const response = await transport.handleRequest(webRequest('GET', request));
  const leave = response.ok ? await watch(tellClient(server)) : () => {};
  const timer = setTimeout(() => void server.close(), STREAM_MS).unref();
  const end = () => {
    clearTimeout(timer);
    leave();
    onEnd();
    void server.close();
  };
  return replyOf(response, { headers: {}, endless: true, onEnd: end });
}
