import type { ChatEvent, ChatRequest } from '../../platform/llm/llm.ts';
import type { ModelSession } from './models.ts';

type End = Extract<ChatEvent, { type: 'end' }>;

export interface AnswerText extends Pick<End, 'reason' | 'schemaDeclined'> {
  text: string;
}

/** Hears each piece of an answer as it comes. */
export type OnDelta = (text: string) => Promise<void> | void;

/** Asks a model and collects the whole answer. No tools are offered, so that what it calls is nothing. */
export async function answerText(
  session: ModelSession,
  request: ChatRequest,
  onDelta?: OnDelta,
): Promise<AnswerText> {
  const answer: AnswerText = { text: '', reason: 'stop' };
  for await (const event of session.chat(request)) {
    if (event.type === 'end') {
      answer.reason = event.reason;
      if (event.schemaDeclined) answer.schemaDeclined = true;
    }
    if (event.type !== 'delta') continue;
    answer.text += event.text;
    await onDelta?.(event.text);
  }
  return answer;
}
