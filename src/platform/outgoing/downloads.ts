import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { bodyOf, exchange } from './exchange.ts';
import { createOutgoing, type OutgoingOptions } from './outgoing.ts';
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
  /** As they came over the wire. It fails if the other side breaks off or the time is over. */
  bytes: Readable;
  /** Decompressed if the other side compressed them unasked. */
  text: () => Readable;
}

/** From servers that users name, with time limits. Redirects are not followed. */
export interface Downloads {
  /** The reply is gone once `read` has resolved. Rejects if there is no reply, or as `read` does. */
  get<Result>(request: DownloadRequest, read: (reply: DownloadReply) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** However long the whole may take, a silent other side is left. */
const SILENCE_MS = 15_000;

/** The other side did not answer, or not to the end, in the time that it was given. */
export class TooSlow extends Error {
  readonly withinMs: number;
  constructor(withinMs: number) {
    super(`no whole answer within ${withinMs / 1_000} seconds`);
    this.name = 'TooSlow';
    this.withinMs = withinMs;
  }
}

export function createDownloads(options: OutgoingOptions): Downloads {
  const outgoing = createOutgoing({ resolve: createResolve(), ...options });

  return {
    async get({ url, headers, withinMs }, read) {
      const connecting = new AbortController();
      let response: IncomingMessage | undefined;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        // An abort after the head has arrived could end a connection that serves another request by then.
        if (response) response.destroy();
        else connecting.abort();
      }, withinMs);
      try {
        response = await exchange(
          outgoing,
          url,
          { method: 'GET', headers: { 'accept-encoding': 'identity', 'user-agent': 'canonry', ...headers } },
          { answerMs: SILENCE_MS, silenceMs: SILENCE_MS, signal: connecting.signal },
        );
        // It may fail while nobody reads it.
        response.on('error', () => {});
        return await read(replyOf(response));
      } catch (error) {
        throw isLate ? new TooSlow(withinMs) : error;
      } finally {
        clearTimeout(timer);
        response?.destroy();
      }
    },
    close: outgoing.close,
  };
}

const replyOf = (response: IncomingMessage): DownloadReply => ({
  status: response.statusCode ?? 0,
  etag: response.headers.etag ?? null,
  bytes: response,
  text: () => bodyOf(response),
});
