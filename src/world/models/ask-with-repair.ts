import type { ChatMessage, ChatRequest } from '../../platform/llm/llm.ts';
import { type AnswerText, answerText, type OnDelta } from './answer-text.ts';
import type { ModelSession } from './models.ts';

export interface AnswerReader<Read> {
  read(answer: AnswerText): Read;
  /** Faults that a model can mend, a line each; empty if the answer is good. */
  faultsOf(read: Read): readonly string[];
  onDelta?: OnDelta;
}

/** Faults that a second request repeats. */
const MOST_FAULTS = 20;

/**
 * Asks for JSON. An answer with faults is asked for once more: with the same messages, that answer and its faults, and nothing else.
 * An answer that a provider withheld is not asked for again. `second` is null if there was one request.
 */
export async function askWithRepair<Read>(
  session: ModelSession,
  request: ChatRequest,
  { read, faultsOf, onDelta }: AnswerReader<Read>,
): Promise<{ first: Read; second: Read | null }> {
  const answer = await answerText(session, request, onDelta);
  const first = read(answer);
  const faults = faultsOf(first);
  if (faults.length === 0 || answer.reason === 'filtered') return { first, second: null };
  const messages = [...request.messages, ...repairMessages(answer.text, faults)];
  return { first, second: read(await answerText(session, { ...request, messages }, onDelta)) };
}

const repairMessages = (text: string, faults: readonly string[]): ChatMessage[] => [
  { role: 'assistant', content: text === '' ? '(nothing)' : text },
  {
    role: 'user',
    content: [
      'That answer cannot be used as it is:',
      ...faults.slice(0, MOST_FAULTS).map((fault) => `- ${fault}`),
      'Answer once more with the whole JSON object, and with nothing else.',
    ].join('\n'),
  },
];
