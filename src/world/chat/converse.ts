import type { SendEvent } from '../../kit/http/event-stream.ts';
import { estimateInput } from '../../platform/llm/estimate-usage.ts';
import type { ChatEvent, ChatMessage, ChatRequest, ToolCall } from '../../platform/llm/llm.ts';
import { isMap } from '../../text/json.ts';
import type { ModelSession, Provider } from '../models/index.ts';
import type { ChatAnswer } from './chat.contract.ts';
import type { Citations } from './citations.ts';
import { LIMITS } from './limits.ts';

export interface Conversation {
  provider: Provider;
  session: ModelSession;
  first: ChatRequest;
  citations: Citations;
  /** The result of a call, of at most `room` characters. */
  runCall(call: ToolCall, room: number): Promise<ChatAnswer['tools'][number]>;
  send: SendEvent;
}

export interface Said {
  content: string;
  tools: ChatAnswer['tools'];
  finish: ChatAnswer['finish'];
}

const ENOUGH =
  'There are no more look-ups for this question. Answer now with what you have, and say what is missing.';
const NOTHING_SAID = 'The model looked things up and gave no answer. A narrower question may help.';
const LETTERS_PER_TOKEN = 3;
/** Characters that a result is worth having with. */
const LEAST_ROOM = 600;

/** Rounds of a model and its tools, until it answers or has had enough of them. */
export async function converse(conversation: Conversation): Promise<Said> {
  const { provider, first, send } = conversation;
  const { tools = [], maxOutputTokens } = first;
  const until = performance.now() + LIMITS.patienceMs;
  const said: Said = { content: '', tools: [], finish: 'stop' };
  let messages: readonly ChatMessage[] = first.messages;
  let added = messages;
  let used = 0;
  let isLast = false;
  for (let round = 1; ; round += 1) {
    await send('context', {
      round,
      messages: added,
      ...(round === 1 && { tools, max_output_tokens: maxOutputTokens }),
    });
    const turn = await readTurn(conversation, { ...first, messages });
    used += turn.tokens;
    said.content += turn.text;
    said.finish = isLast && turn.calls.length > 0 ? 'limit' : turn.reason;
    if (turn.calls.length === 0 || isLast) break;
    const left = Math.min(provider.contextTokens, LIMITS.tokens - used);
    const room = roomFor(
      left - estimateInput({ ...first, messages }) - 2 * maxOutputTokens,
      turn.calls.length,
    );
    const results = await runCalls(conversation, turn.calls, { round, room });
    said.tools.push(...results);
    isLast = round >= LIMITS.rounds - 1 || room < LIMITS.result || performance.now() >= until;
    added = [
      { role: 'assistant', content: turn.text, calls: turn.calls },
      ...results.map(({ id, name, content }): ChatMessage => ({ role: 'tool', callId: id, name, content })),
      ...(isLast ? [{ role: 'user', content: ENOUGH } as const] : []),
    ];
    messages = [...messages, ...added];
    if (turn.text !== '') said.content += await tell(send, '\n\n');
  }
  if (said.content.trim() !== '') return said;
  return { ...said, content: await tell(send, NOTHING_SAID), finish: 'limit' };
}

const tell = async (send: SendEvent, text: string): Promise<string> => {
  await send('delta', { text });
  return text;
};

/** Characters for each result. Half of what is left, so that a further round has room too. */
const roomFor = (tokens: number, calls: number): number =>
  Math.max(LEAST_ROOM, Math.min(LIMITS.result, Math.floor((tokens * LETTERS_PER_TOKEN) / 2 / calls)));

interface Turn {
  text: string;
  calls: readonly ToolCall[];
  reason: 'stop' | 'length' | 'filtered';
  tokens: number;
}

/** Passes on what the model says, with its citations checked. */
async function readTurn({ session, citations, send }: Conversation, request: ChatRequest): Promise<Turn> {
  const calls: ToolCall[] = [];
  let text = '';
  const say = async (piece: string) => {
    if (piece !== '') text += await tell(send, piece);
  };
  let end: (ChatEvent & { type: 'end' }) | undefined;
  for await (const event of session.chat(request)) {
    if (event.type === 'delta') await say(citations.push(event.text));
    else if (event.type === 'end') end = event;
    // The rest is dropped as if it had not been asked for.
    else if (calls.length < LIMITS.callsARound) calls.push(repeatable(event.call));
  }
  await say(citations.rest());
  const { inputTokens = 0, outputTokens = 0 } = end?.usage ?? {};
  const reason = end === undefined || end.reason === 'calls' ? 'stop' : end.reason;
  return { text, calls, reason, tokens: inputTokens + outputTokens };
}

/** Providers refuse a conversation in which a call has another name or input than they would have sent. */
const repeatable = ({ id, name, input }: ToolCall): ToolCall => ({
  id,
  name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unknown',
  input: isMap(input) ? input : {},
});

async function runCalls(
  { runCall, send }: Conversation,
  calls: readonly ToolCall[],
  { round, room }: { round: number; room: number },
): Promise<ChatAnswer['tools']> {
  const results: ChatAnswer['tools'] = [];
  for (const call of calls) {
    const result = await runCall(call, room);
    await send('tool', { round, ...result });
    results.push(result);
  }
  return results;
}
