import { errorFrom } from '../../client/error.ts';
import { sendTo } from './api.ts';

export interface StreamedEvent {
  event: string;
  data: unknown;
}

/** The events with which a route replies to a request for a stream, as they arrive. Rejects with the refusal of the route. */
export async function* eventsOf(
  project: string,
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  const response = await sendTo(project)(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || !response.body) throw await errorFrom(response);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of piecesOf(response.body)) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    yield* parts.flatMap(eventIn);
  }
}

/** Not every browser iterates over a stream by itself. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Nothing for a comment, which only keeps the connection alive. */
function eventIn(text: string): StreamedEvent[] {
  const [, event, data] = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(text) ?? [];
  return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
}
