import assert from 'node:assert/strict';
import type { ChatAnswer } from '../../src/world/chat/chat.contract.ts';
import type { CallOptions, TestReply } from './core.ts';
import type { LlmRequest } from './llm/answer.ts';
import { type ShownMessage, sentMessages, sentTools } from './llm/sent.ts';

export interface ChatEvent {
  event: string;
  data: Record<string, unknown>;
}

interface Asked {
  call<Body>(method: string, url: string, options?: CallOptions): Promise<TestReply<Body>>;
}

export interface AskOptions {
  token?: string | null;
  path?: string;
}

const optionsOf = ({ token }: AskOptions) => (token === undefined ? {} : { token });

/** The answer as JSON. */
export async function askChat(core: Asked, body: object, options: AskOptions = {}): Promise<ChatAnswer> {
  const reply = await core.call<ChatAnswer>('POST', options.path ?? '/api/ai/chat', {
    body,
    ...optionsOf(options),
  });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** The answer as events, read to the end. */
export async function chatEvents(core: Asked, body: object, options: AskOptions = {}): Promise<ChatEvent[]> {
  const reply = await core.call('POST', options.path ?? '/api/ai/chat', {
    body,
    headers: { accept: 'text/event-stream' },
    ...optionsOf(options),
  });
  assert.equal(reply.status, 200, reply.text);
  return eventsIn(reply.text);
}

export const eventsIn = (text: string): ChatEvent[] =>
  text
    .split('\n\n')
    .map((block) => /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(block))
    .flatMap((found) => (found ? [{ event: found[1] ?? '', data: JSON.parse(found[2] ?? '') }] : []));

export const dataOf = (events: readonly ChatEvent[], name: string): Record<string, unknown>[] =>
  events.filter(({ event }) => event === name).map(({ data }) => data);

export const saidIn = (events: readonly ChatEvent[]): string =>
  dataOf(events, 'delta')
    .map(({ text }) => String(text))
    .join('');

/** The messages of every round, as the `context` events have shown them. */
export function shownRounds(events: readonly ChatEvent[]): ShownMessage[][] {
  const messages: ShownMessage[] = [];
  return dataOf(events, 'context').map((data) => {
    messages.push(...(data.messages as ShownMessage[]));
    return [...messages];
  });
}

/** The rounds that were shown are the requests that were sent, byte for byte. */
export function assertShownIsSent(events: readonly ChatEvent[], sent: readonly LlmRequest[]): void {
  const shown = shownRounds(events).map((round) =>
    round.map(({ name: _, ...message }: ShownMessage & { name?: string }) => message),
  );
  assert.deepEqual(sent.map(sentMessages), shown);
  const [first] = dataOf(events, 'context');
  for (const request of sent) assert.deepEqual(sentTools(request), first?.tools);
}
