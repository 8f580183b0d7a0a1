import { messageOf } from '../../../kit/errors.ts';
import { leadsToLoopback } from '../../../kit/loopback.ts';
import {
  type GuestHttpRequest,
  type GuestHttpResponse,
  GuestRefusal,
} from '../../../platform/guests/host.ts';
import { bodyOf, exchange } from '../../../platform/outgoing/exchange.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { isGrantedHost } from './granted-hosts.ts';

const WITHIN_MS = 5_000;
const LARGEST_BODY = 1024 * 1024;
const MOST_HEADERS = 50;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Set by the connection, or of no business of a plugin. */
const REFUSED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*|cookie)$/;
const HEADER_NAME = /^[a-z0-9-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{0,4096}$/;

/** Requests of guests: to granted hosts alone, by the connections that refuse private addresses. Redirects are not followed. */
export function createGuestRequests(openOutgoing: () => Promise<Outgoing>) {
  return async (
    granted: readonly string[],
    request: GuestHttpRequest,
    signal: AbortSignal,
  ): Promise<GuestHttpResponse> => {
    const url = requireUrl(granted, request);
    const headers = headersOf(request);
    const outgoing = await openOutgoing();
    const refusal = await outgoing.refusalOf(url);
    if (refusal !== null) throw new GuestRefusal(refusal);
    try {
      const response = await exchange(
        outgoing,
        url.href,
        { method: request.method, headers, ...(request.body !== null && { body: request.body }) },
        {
          answerMs: WITHIN_MS,
          silenceMs: WITHIN_MS,
          signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
        },
      );
      const body = await textOf(bodyOf(response));
      response.destroy();
      const replied = Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const],
      );
      return { status: response.statusCode ?? 0, headers: replied, body };
    } catch (error) {
      throw error instanceof GuestRefusal ? error : new GuestRefusal(`no answer: ${messageOf(error)}`);
    }
  };
}

export type GuestRequests = ReturnType<typeof createGuestRequests>;

function requireUrl(granted: readonly string[], { method, url: text }: GuestHttpRequest): URL {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '')
    throw new GuestRefusal('this is no address');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && leadsToLoopback(url));
  if (!isSafe) throw new GuestRefusal('an address begins with https://');
  if (!isGrantedHost(granted, url)) throw new GuestRefusal(`the permission http:${url.host} was not granted`);
  if (!METHODS.has(method)) throw new GuestRefusal(`the method is one of ${[...METHODS].join(', ')}`);
  return url;
}

function headersOf({ headers, body }: GuestHttpRequest): Record<string, string> {
  if (headers.length > MOST_HEADERS) throw new GuestRefusal(`at most ${MOST_HEADERS} headers are sent`);
  if (body !== null && Buffer.byteLength(body) > LARGEST_BODY)
    throw new GuestRefusal(`a body has at most ${LARGEST_BODY} bytes`);
  return Object.fromEntries(
    headers.map(([given, value]) => {
      const name = given.toLowerCase();
      if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value) || REFUSED_HEADERS.test(name))
        throw new GuestRefusal(`the header '${given.slice(0, 50)}' cannot be sent`);
      return [name, value];
    }),
  );
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new GuestRefusal(`the answer has more than ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
