import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type HeaderLists = Record<string, string | string[]>;

/** The caller as the edge itself knows it; claims in the request's own headers are dropped. */
export interface Caller {
  address: string;
  host: string;
  protocol: string;
  requestId: string;
}

/** Headers about one connection, not the message (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const CLAIMS = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-request-id|host|expect)$/;

/** Names that `Connection` lists, without content-length: a body without a length would be read as the next request. */
function namesIn(connection: string | undefined): Set<string> {
  const names = new Set((connection ?? '').toLowerCase().split(/[\s,]+/));
  names.delete('content-length');
  return names;
}

function endToEnd({ headers, headersDistinct }: IncomingMessage): HeaderLists {
  const named = namesIn(headers.connection);
  const kept: HeaderLists = {};
  for (const [name, values] of Object.entries(headersDistinct)) {
    if (values === undefined || HOP_BY_HOP.has(name) || named.has(name)) continue;
    kept[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return kept;
}

export function requestHeaders(message: IncomingMessage, caller: Caller, host: string): HeaderLists {
  const kept = Object.entries(endToEnd(message)).filter(([name]) => !CLAIMS.test(name));
  return {
    ...Object.fromEntries(kept),
    ...framing(message.headers),
    host,
    'x-forwarded-for': caller.address,
    'x-forwarded-host': caller.host,
    'x-forwarded-proto': caller.protocol,
    'x-request-id': caller.requestId,
  };
}

/** A body of unknown length is forwarded as chunked, whatever the method. */
const framing = (headers: IncomingHttpHeaders): HeaderLists =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };

export const upgradeHeaders = (message: IncomingMessage, caller: Caller, host: string): HeaderLists => ({
  ...requestHeaders(message, caller, host),
  connection: 'Upgrade',
  upgrade: 'websocket',
});

export const replyHeaders = (response: IncomingMessage, requestId: string): HeaderLists => ({
  ...endToEnd(response),
  'x-request-id': requestId,
});
