import type { ChatEvent, ChatRequest } from '../../platform/llm/llm.ts';
import type { ModelSession } from './models.ts';

type End = Extract<ChatEvent, { type: 'end' }>;

export interface AnswerText extends Pick<End, 'reason' | 'schemaDeclined'> {
  text: string;
}

/** Asks a model and collects the whole answer. */
export async function answerText(session: ModelSession, request: ChatRequest): Promise<AnswerText> {
  const answer: AnswerText = { text: '', reason: 'stop' };
  for await (const event of session.chat(request)) {
    if (event.type === 'delta') answer.text += event.text;
    if (event.type === 'end') {
      answer.reason = event.reason;
      if (event.schemaDeclined) answer.schemaDeclined = true;
    }
  }
  return answer;
}
