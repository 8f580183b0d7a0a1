import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Transport } from '../client/call-client.ts';
import { errorFrom } from '../client/error.ts';
import { CloudError } from '../exchange/cloud/index.ts';
import { readBounded } from '../kit/http/bounded-body.ts';
import type { OutgoingRequest } from '../platform/outgoing/exchange.ts';
import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';

export interface CloudTransport {
  exchange: Transport;
  /** Sends a request whose reply is streamed; rejects for an error status. */
  open(url: string, request: OutgoingRequest): Promise<Readable>;
  /** Sends a request and discards the reply's body; rejects for an error status. */
  send(url: string, request: OutgoingRequest): Promise<void>;
}

const LIMITS = { answerMs: 60_000, silenceMs: 60_000 };
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;
const BUSY: readonly (number | undefined)[] = [429, 503];

/** The transport to clouds, over agents that check each address. It is loaded on first use: most services need none. */
export function createCloudTransport(privateEndpoints: PrivateEndpoints): CloudTransport {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => {
    const { createOutgoing } = await import('../platform/outgoing/outgoing.ts');
    const { bodyOf, exchange } = await import('../platform/outgoing/exchange.ts');
    return { outgoing: createOutgoing({ privateEndpoints }), bodyOf, exchange };
  };

  async function ask(
    url: string,
    request: OutgoingRequest,
  ): Promise<{ response: IncomingMessage; body: Readable }> {
    opened ??= open();
    const { outgoing, bodyOf, exchange } = await opened;
    const response = await exchange(outgoing, url, request, LIMITS);
    const body = bodyOf(response);
    if (!BUSY.includes(response.statusCode)) return { response, body };
    const { detail } = await errorFrom(await held(response, body, MOST_ERROR_BYTES));
    const seconds = Number(response.headers['retry-after']);
    throw new CloudError('busy', detail, Number.isFinite(seconds) ? { retryAfter: seconds } : {});
  }

  async function good(url: string, request: OutgoingRequest): Promise<Readable> {
    const { response, body } = await ask(url, request);
    if (response.statusCode === 200 || response.statusCode === 201 || response.statusCode === 204)
      return body;
    throw await errorFrom(await held(response, body, MOST_ERROR_BYTES));
  }

  return {
    async exchange(url, { method, headers, body }) {
      if (body instanceof FormData) throw new TypeError('requests to a cloud cannot carry a form');
      const request = {
        method,
        headers: { ...headers, 'accept-encoding': 'gzip' },
        ...(body !== undefined && { body }),
      };
      const { response, body: answer } = await ask(url, request);
      return held(response, answer, MOST_BYTES);
    },
    open: good,
    async send(url, request) {
      (await good(url, request)).resume();
    },
  };
}

async function held(
  { statusCode = 502 }: IncomingMessage,
  body: Readable,
  mostBytes: number,
): Promise<Response> {
  const bytes = await readBounded(Readable.toWeb(body) as ReadableStream<Uint8Array>, mostBytes);
  const status = statusCode >= 200 && statusCode <= 599 ? statusCode : 502;
  return new Response(status === 204 || status === 304 ? null : bytes, { status });
}
