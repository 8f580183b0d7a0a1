import type { AnswerProblem, ReadAnswer } from '../../content/ai/index.ts';
import type { ChatRequest } from '../../platform/llm/llm.ts';
import { type AnswerText, askWithRepair, type ModelSession, type OnDelta } from '../models/index.ts';

export interface ChangeAsking {
  request: ChatRequest;
  read(text: string): CheckedAnswer;
  onDelta: OnDelta;
}

export interface CheckedAnswer extends ReadAnswer {
  /** Objections of rules. */
  objections: AnswerProblem[];
}

export interface ChangeAnswer extends CheckedAnswer {
  /** How often the model was asked. */
  rounds: number;
  reason: AnswerText['reason'];
}

/** An answer that breaks the schema or a rule is asked for once more; the better one of the two counts. */
export async function askForChange(
  session: ModelSession,
  { request, read, onDelta }: ChangeAsking,
): Promise<ChangeAnswer> {
  const { first, second } = await askWithRepair(session, request, {
    read: ({ text, reason }) => ({ ...read(text), reason }),
    faultsOf: (answer) => faultsOf(answer).map(({ path, message }) => `${path || 'the answer'} ${message}`),
    onDelta,
  });
  if (second === null) return { ...first, rounds: 1 };
  return { ...(faultsOf(second).length <= faultsOf(first).length ? second : first), rounds: 2 };
}

const faultsOf = ({ problems, objections }: CheckedAnswer): AnswerProblem[] => [...problems, ...objections];
