import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type ErrorExtras, HttpError } from '../errors.ts';
import { Reply, type RouteRequest } from '../route.ts';

/** Resolves once the reader has room for more. Rejects with the signal's reason when the caller has gone. */
export type SendEvent = (event: string, data: unknown) => Promise<void>;

export type EventSource = (send: SendEvent, signal: AbortSignal) => Promise<void>;

export interface EventStreamOptions {
  /** Errors that callers are not told about. */
  onFailure(error: unknown): void;
}

/** Proxies close connections that say nothing, often after 30 or 60 seconds. */
const HEARTBEAT_MS = 15_000;

/** Replies are JSON (spec 1 §1): a route that can also reply with events does so where the caller asks for them. */
export const wantsEvents = ({ headers }: Pick<RouteRequest, 'headers'>): boolean =>
  /\btext\/event-stream\b/i.test(String(headers.accept ?? ''));

/**
 * A reply of server-sent events. `run` sends them; its signal aborts when the caller goes. An error becomes a last event `error`
 * with the `detail` and `code` of the reply that it would otherwise have been.
 */
export function eventStream(run: EventSource, { onFailure }: EventStreamOptions): Reply {
  const gone = new AbortController();
  const stream = new Readable({
    read: () => void stream.emit('room'),
    destroy(error, done) {
      gone.abort(new Error('the caller has gone'));
      done(error);
    },
  });
  const push = async (text: string): Promise<void> => {
    gone.signal.throwIfAborted();
    if (!stream.push(text)) await once(stream, 'room', { signal: gone.signal });
  };
  const send: SendEvent = (event, data) => push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const heartbeat = setInterval(() => void stream.push(': still working\n\n'), HEARTBEAT_MS).unref();
  stream.once('close', () => clearInterval(heartbeat));

  const finish = async () => {
    try {
      await run(send, gone.signal);
    } catch (error) {
      if (gone.signal.aborted) return;
      if (!(error instanceof HttpError)) onFailure(error);
      await send('error', errorEventOf(error));
    }
    clearInterval(heartbeat);
    stream.push(null);
  };
  void finish().catch(() => stream.destroy());
  return new Reply(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

function errorEventOf(error: unknown): { detail: string; status: number } & Pick<ErrorExtras, 'code'> {
  if (!(error instanceof HttpError))
    return { detail: 'Something went wrong here. The log has more', status: 500, code: 'internal' };
  const { code, body } = error.extras;
  return { detail: error.message, status: error.status, ...(code !== undefined && { code }), ...body };
}
