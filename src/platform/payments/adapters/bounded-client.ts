import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';
import { isObject } from './json.ts';

const MOST_BYTES = 8 * 1024 * 1024;

type Response = Stripe.HttpClientResponse;

/**
 * Unlike the library's own client, the time limit is for the whole answer, and an answer that breaks off is a failed attempt, which the
 * library repeats.
 */
export class BoundedClient implements Stripe.HttpClient {
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  constructor(protocol: 'http' | 'https') {
    const { Agent, request } = protocol === 'http' ? http : https;
    this.#agent = new Agent({ keepAlive: true });
    this.#request = request;
  }

  getClientName = (): string => 'node';

  async makeRequest(...[host, port, path, method, headers, body, , timeout]: Sending): Promise<Response> {
    const request = this.#request({
      host: host.replace(/^\[|\]$/g, ''),
      port,
      path,
      method,
      headers,
      agent: this.#agent,
    });
    // After the head of the answer nobody else listens.
    request.on('error', () => {});
    const clock = setTimeout(() => request.destroy(Stripe.HttpClient.makeTimeoutError()), timeout);
    try {
      request.end(body);
      const [response]: IncomingMessage[] = await once(request, 'response');
      if (response === undefined) throw new Error('No response');
      return responseOf(response, await textOf(response));
    } finally {
      clearTimeout(clock);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

type Sending = Parameters<Stripe.HttpClient['makeRequest']>;

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`The answer has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function responseOf({ statusCode = 0, headers }: IncomingMessage, text: string): Response {
  const raw = {};
  return {
    getStatusCode: () => statusCode,
    getHeaders: () => headers as ReturnType<Response['getHeaders']>,
    getRawResponse: () => raw,
    toStream: () => null,
    toJSON: async () => parsed(statusCode, text),
  };
}

/** The library takes every body without an error for success, whatever the status is. */
function parsed(status: number, text: string): unknown {
  const isGood = status >= 200 && status < 300;
  const json = isGood ? JSON.parse(text) : parsedOrNull(text);
  if (isObject(json) && (isGood || isObject(json.error))) return json;
  return { error: { type: 'api_error', message: `The billing provider answered with status ${status}` } };
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
