import { estimateTokens } from '../../../text/tokens.ts';
import { estimateInput } from '../estimate-usage.ts';
import { type ChatEvent, type ChatRequest, LlmError, type Usage } from '../llm.ts';
import type { StreamPart } from './library-types.ts';

type Finish = Extract<StreamPart, { type: 'finish' }>;
type EndReason = Extract<ChatEvent, { type: 'end' }>['reason'];

const REASONS: Partial<Record<Finish['finishReason']['unified'], EndReason>> = {
  stop: 'stop',
  other: 'stop',
  length: 'length',
  'tool-calls': 'calls',
  'content-filter': 'filtered',
};

/** Letters per token that an answer may have at most; whatever goes on after that ignores the limit of the request. */
const LETTERS_PER_TOKEN = 32;
const ALWAYS_ADMITTED = 10_000;

/** Throws an answer's error as the library gives it, and an LlmError for an answer that is endless or has no end. */
export async function* chatEvents(
  parts: AsyncIterable<StreamPart>,
  request: ChatRequest,
): AsyncGenerator<ChatEvent> {
  const most = Math.max(ALWAYS_ADMITTED, request.maxOutputTokens * LETTERS_PER_TOKEN);
  let letters = 0;
  let said = '';
  let finish: Finish | undefined;
  const count = (text: string) => {
    letters += text.length;
    if (letters > most)
      throw new LlmError('bad_answer', `The answer does not end: it has more than ${most} characters`);
    said += text;
  };
  for await (const part of parts) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') finish = part;
    else if (part.type === 'reasoning-delta') count(part.delta);
    else if (part.type === 'text-delta' && part.delta !== '') {
      count(part.delta);
      yield { type: 'delta', text: part.delta };
    } else if (part.type === 'tool-call') {
      count(part.input);
      yield {
        type: 'call',
        call: { id: part.toolCallId, name: part.toolName, input: parsed(part.input) },
      };
    }
  }
  const reason = finish && REASONS[finish.finishReason.unified];
  if (!finish || !reason) throw new LlmError('bad_answer', 'The answer was cut off before its end');
  yield { type: 'end', reason, usage: usageOf(finish, request, said) };
}

/** Providers that do not count leave it out, or say 0. */
const usageOf = ({ usage }: Finish, request: ChatRequest, said: string): Usage => ({
  inputTokens: usage.inputTokens.total || estimateInput(request),
  outputTokens: usage.outputTokens.total || estimateTokens(said),
});

/** Text that is no JSON, such as a call that was cut, is handed on: callers validate what they get. */
function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}
