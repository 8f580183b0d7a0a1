import type http from 'node:http';
import { exchange } from './exchange.ts';
import { createOutgoing, type OutgoingOptions } from './outgoing.ts';
import { createResolve } from './resolve.ts';

export interface Posted {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

export interface PostReply {
  status: number;
  retryAfter: string | null;
  /** The beginning of the reply; an unreadable rest is ignored. */
  text: string;
}

/** To servers that users enter, with time limits. */
export interface Receivers {
  /** As for a service of many tenants. */
  secureOnly: boolean;
  /** Null if it is not refused now. */
  refusalOf(url: URL): Promise<string | null>;
  /** Resolves for any status, including redirects. Rejects if there is no reply. */
  post(posted: Posted): Promise<PostReply>;
  close(): void;
}

export interface ReceiversOptions extends OutgoingOptions {
  /** For the whole exchange. */
  withinMs?: number;
}

const WITHIN_MS = 15_000;
/** Never reached, since the signal ends a slow exchange earlier. */
const LATER_STILL = { answerMs: 60_000, silenceMs: 60_000 };
const MOST_REPLY_BYTES = 64 * 1024;

export function createReceivers({ withinMs = WITHIN_MS, ...options }: ReceiversOptions): Receivers {
  const outgoing = createOutgoing({ resolve: createResolve(), ...options });

  return {
    secureOnly: options.privateEndpoints === 'refused',
    refusalOf: outgoing.refusalOf,
    async post({ url, headers, body, signal }) {
      const late = AbortSignal.timeout(withinMs);
      const response = await exchange(
        outgoing,
        url,
        // A kept connection may close just as we send.
        { method: 'POST', headers: { ...headers, connection: 'close' }, body },
        { ...LATER_STILL, signal: AbortSignal.any([late, signal]) },
      ).catch((error: unknown) => {
        throw late.aborted ? tooLate(withinMs) : error;
      });
      const text = await readBeginning(response);
      const { statusCode = 0, headers: replied } = response;
      return { status: statusCode, retryAfter: replied['retry-after'] ?? null, text };
    },
    close: outgoing.close,
  };
}

const tooLate = (withinMs: number) => new Error(`No answer within ${withinMs / 1_000} seconds`);

async function readBeginning(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, MOST_REPLY_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= MOST_REPLY_BYTES) break;
    }
  } catch {
    // The status is known; a truncated body changes nothing.
  }
  response.destroy();
  return Buffer.concat(chunks).toString('utf8');
}
