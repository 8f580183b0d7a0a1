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

/** The transport's answer as a route's reply; `onEnd` runs when it was sent or nobody reads it any more. */
export async function replyOf(
  response: Response,
  headers: Readonly<Record<string, string>>,
  onEnd: () => void,
): Promise<Reply> {
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
  return new Reply(stream, { ...options, headers: { ...all, 'x-accel-buffering': 'no' } });
}
