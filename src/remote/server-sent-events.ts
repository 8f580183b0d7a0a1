/** Longer than two heartbeats. */
const SILENCE_MS = 45_000;
const MOST_LETTERS = 4 * 1024 * 1024;

export interface ReceivedEvent {
  event: string;
  data: unknown;
}

/** Events of our own services: each has a name and one line of JSON. Rejects after a silence without heartbeats. */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (;;) {
      const { promise: silence, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error('it fell silent')), SILENCE_MS);
      const { value, done } = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer));
      if (done) return;
      text += value;
      if (text.length > MOST_LETTERS) throw new Error('an event is too long');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const found = eventIn(block);
        if (found) yield found;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Undefined for a heartbeat. */
function eventIn(block: string): ReceivedEvent | undefined {
  const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}
