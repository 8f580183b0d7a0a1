import type { ChatEvent, ChatRequest } from '../../platform/llm/llm.ts';
import type { ModelSession } from './models.ts';

export interface AnswerText {
  text: string;
  reason: Extract<ChatEvent, { type: 'end' }>['reason'];
}

/** Asks a model and collects the whole answer. */
export async function answerText(session: ModelSession, request: ChatRequest): Promise<AnswerText> {
  const answer: AnswerText = { text: '', reason: 'stop' };
  for await (const event of session.chat(request)) {
    if (event.type === 'delta') answer.text += event.text;
    if (event.type === 'end') answer.reason = event.reason;
  }
  return answer;
}
