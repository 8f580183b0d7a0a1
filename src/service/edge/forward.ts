import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Message } from './exchange.ts';
import { type Caller, replyHeaders, requestHeaders, upgradeHeaders } from './forwarded-headers.ts';
import { sendMessage } from './send-message.ts';
import type { Tunnels } from './tunnels.ts';
import type { Upstream } from './upstream.ts';
import { UpstreamError, upstreamReply } from './upstream-error.ts';

export interface ForwardOptions {
  tunnels: Tunnels;
  log: Log;
}

/** Bytes of a body that are held in memory, so that it can be sent again. */
const LARGEST_KEPT = 64 * 1024;
const LINGER_MS = 5_000;
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

interface ForwardTarget {
  upstream: Upstream;
  /** Path and query for the service; as they were sent unless given. */
  url?: string;
}

/** Forwards a request and streams the reply back. Throws the error for the caller if the service gives none. */
export function createForward({ tunnels, log }: ForwardOptions) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { upstream, url = request.raw.url ?? '/' }: ForwardTarget,
  ): Promise<void> => {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    const upgrade = tunnels.upgradeOf(request.raw);
    const caller = callerOf(request);
    const repeatable = isRepeatable(request.raw);
    const headers = upgrade ? upgradeHeaders : requestHeaders;
    try {
      const message: Message = {
        method: request.raw.method ?? 'GET',
        url,
        headersFor: (host) => headers(request.raw, caller, host),
        body: await bodyOf(request.raw, repeatable),
        repeatable,
        signal: gone.signal,
      };
      const { response, switched } = await sendMessage({ upstream, message });
      reply.hijack();
      if (upgrade && switched) {
        tunnels.join(upgrade, { ...switched, response, requestId: request.id });
        return;
      }
      await relay(response, reply.raw, request.id);
    } catch (error) {
      const hasLeft = gone.signal.aborted || request.raw.socket.destroyed;
      if (!hasLeft) log.warn(`${upstream.name}: ${reasonOf(error)} request_id=${request.id}`);
      if (hasLeft || reply.sent) return void reply.hijack();
      throw error instanceof UpstreamError ? upstreamReply(upstream.name, error.fault) : error;
    } finally {
      if (!upgrade && !request.raw.complete) linger(request.raw);
    }
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof UpstreamError ? `${error.fault}, ${messageOf(error.cause)}` : messageOf(error);

const callerOf = ({ ip, host, protocol, id }: FastifyRequest): Caller => ({
  address: ip,
  host,
  protocol,
  requestId: id,
});

/** A precondition that the first attempt fulfilled would fail the second, so such a message is sent once. */
function isRepeatable({ method = 'GET', headers }: IncomingMessage): boolean {
  if (!IDEMPOTENT.has(method) || headers['if-match'] !== undefined) return false;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= LARGEST_KEPT;
}

async function bodyOf(message: IncomingMessage, keep: boolean): Promise<Message['body']> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = message.headers;
  if (encoding === undefined && Number(length) === 0) return null;
  return keep ? buffer(message) : message;
}

/** Drains the rest of an unwanted body for a moment, so that the caller can read the reply. */
function linger(message: IncomingMessage): void {
  const timer = setTimeout(() => message.socket.destroy(), LINGER_MS).unref();
  message.once('close', () => clearTimeout(timer));
  message.resume();
}

async function relay(response: IncomingMessage, to: ServerResponse, requestId: string): Promise<void> {
  const headers = replyHeaders(response, requestId);
  to.writeHead(response.statusCode ?? 502, response.statusMessage, headers);
  // A reply of unknown length may be a stream that pauses between its chunks: its headers must not wait.
  if (headers['content-length'] === undefined) to.flushHeaders();
  await pipeline(response, to);
}
