import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Reply, type RouteRequest } from '../../../kit/route.ts';

/** The protocol's own headers. Whether a reply is JSON or events is decided here, so `Accept` is always met. */
const PASSED_ON = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'];
const KEPT = ['content-type', 'mcp-session-id', 'allow'];

const ADDRESS = 'http://canonry.invalid/api/mcp';

/** A request as the SDK's transport takes it; its body is handed over parsed. */
export function webRequest(method: 'GET' | 'POST', { headers }: Pick<RouteRequest, 'headers'>): Request {
  const passed = PASSED_ON.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] satisfies [string, string]] : [];
  });
  return new Request(ADDRESS, {
    method,
    headers: [...passed, ['accept', 'application/json, text/event-stream']],
  });
}

export interface SentReply {
  headers: Readonly<Record<string, string>>;
  /** True if its stream goes on until the client leaves. */
  endless: boolean;
  /** Called when it was sent or nobody reads it any more. */
  onEnd(): void;
}

/** The transport's answer as a route's reply. */
export async function replyOf(response: Response, { headers, endless, onEnd }: SentReply): Promise<Reply> {
  const kept = KEPT.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const all = { ...Object.fromEntries(kept), ...headers, 'cache-control': 'no-store' };
  const options = { status: response.status, headers: all };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || response.body === null) {
    const text = await response.text();
    onEnd();
    return new Reply(text === '' ? null : text, options);
  }
  const stream = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  stream.once('close', onEnd);
  // The head of a reply leaves with its first bytes, and the first event may be long in coming.
  if (endless) stream.unshift(Buffer.from(': open\n\n'));
  return new Reply(stream, { ...options, endless, headers: { ...all, 'x-accel-buffering': 'no' } });
}
