import type { IncomingMessage } from 'node:http';
import { messageOf } from '../../kit/errors.ts';
import { DownloadError } from './download-error.ts';
import { bodyOf, exchange } from './exchange.ts';
import { ADDRESS_REFUSED, createOutgoing, type OutgoingOptions } from './outgoing.ts';
import { createResolve } from './resolve.ts';

export interface DownloadRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Of the whole exchange, until the reply has been read. */
  withinMs: number;
}

export interface DownloadReply {
  status: number;
  etag: string | null;
  /** As they came over the wire; a DownloadError if they break off or the time is over. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Decompressed, if the other side compressed them unasked. */
  content(): AsyncIterable<Uint8Array>;
}

/** From servers that settings and files name, with time limits. Redirects are not followed. */
export interface Downloads {
  /** The reply is gone once `read` has resolved. Rejects with a DownloadError, or as `read` does. */
  get<Result>(request: DownloadRequest, read: (reply: DownloadReply) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** However long the whole may take, a silent other side is left. */
const SILENCE_MS = 15_000;
const HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'canonry' };

export function createDownloads(options: OutgoingOptions): Downloads {
  const outgoing = createOutgoing({ resolve: createResolve(), ...options });

  return {
    async get({ url, headers, withinMs }, read) {
      const connecting = new AbortController();
      const limits = { answerMs: SILENCE_MS, silenceMs: SILENCE_MS, signal: connecting.signal };
      let response: IncomingMessage | undefined;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        // An abort after the head has arrived could end a connection that serves another request by then.
        if (response) response.destroy();
        else connecting.abort();
      }, withinMs);
      const fail = (error: unknown): never => {
        throw isLate ? tooSlow(withinMs) : errorOf(error);
      };
      try {
        const request = { method: 'GET', headers: { ...HEADERS, ...headers } };
        response = await exchange(outgoing, url, request, limits).catch(fail);
        // It may fail while nobody reads it.
        response.on('error', () => {});
        return await read(replyOf(response, fail));
      } finally {
        clearTimeout(timer);
        response?.destroy();
      }
    },
    close: outgoing.close,
  };
}

const replyOf = (response: IncomingMessage, fail: (error: unknown) => never): DownloadReply => ({
  status: response.statusCode ?? 0,
  etag: response.headers.etag ?? null,
  bytes: () => chunksOf(response, fail),
  content: () => chunksOf(bodyOf(response), fail),
});

async function* chunksOf(
  body: AsyncIterable<Uint8Array>,
  fail: (error: unknown) => never,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    fail(error);
  }
}

const tooSlow = (withinMs: number) =>
  new DownloadError('too_slow', `there was no whole answer within ${withinMs / 1_000} seconds`);

function errorOf(cause: unknown): DownloadError {
  const isRefused = cause instanceof Error && 'code' in cause && cause.code === ADDRESS_REFUSED;
  return isRefused
    ? new DownloadError('refused', messageOf(cause), { cause })
    : new DownloadError('failed', 'the connection failed', { cause });
}
