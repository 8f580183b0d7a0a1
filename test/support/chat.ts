import assert from 'node:assert/strict';
import type { ToolDescription } from '../../src/platform/llm/llm.ts';
import type { ChatAnswer } from '../../src/world/chat/chat.contract.ts';
import type { CallOptions, TestReply } from './core.ts';
import type { LlmRequest } from './llm/answer.ts';

export interface ChatEvent {
  event: string;
  data: Record<string, unknown>;
}

/** A message as `context` events show it. */
export interface ShownMessage {
  role: string;
  content: string;
  calls?: { id: string; name: string; input: unknown }[];
  callId?: string;
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

const eventsIn = (text: string): ChatEvent[] =>
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

/** What a provider with OpenAI's API was sent, in the form in which it is shown. */
const sentMessages = ({ body }: LlmRequest): ShownMessage[] =>
  (body?.messages ?? []).map((message) => {
    const { role, content, tool_calls: calls, tool_call_id: callId } = message as Record<string, unknown>;
    return {
      role: String(role),
      content: textOf(content),
      ...(Array.isArray(calls) && { calls: calls.map(sentCall) }),
      ...(callId !== undefined && { callId: String(callId) }),
    };
  });

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map(({ text }: { text: string }) => text).join('') : String(content ?? '');

const sentCall = ({
  id,
  function: asked,
}: {
  id: string;
  function: { name: string; arguments: string };
}) => ({
  id,
  name: asked.name,
  input: JSON.parse(asked.arguments) as unknown,
});

const sentTools = ({ body }: LlmRequest): ToolDescription[] =>
  (body?.tools ?? []).map((tool) => {
    const { name, description, parameters } = tool.function as Record<string, unknown>;
    return {
      name: String(name),
      description: String(description),
      input: parameters as ToolDescription['input'],
    };
  });

/** The rounds that were shown are the requests that were sent, byte for byte. */
export function assertShownIsSent(events: readonly ChatEvent[], sent: readonly LlmRequest[]): void {
  const shown = shownRounds(events).map((round) =>
    round.map(({ name: _, ...message }: ShownMessage & { name?: string }) => message),
  );
  assert.deepEqual(sent.map(sentMessages), shown);
  const [first] = dataOf(events, 'context');
  for (const request of sent) assert.deepEqual(sentTools(request), first?.tools);
}
