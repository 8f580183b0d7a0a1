import type { AnswerProblem, ContextMessage, ReadAnswer } from '../../content/ai/index.ts';
import type { JsonSchema } from '../../platform/llm/llm.ts';
import type { ModelSession } from '../models/index.ts';

export interface ChangeRequest {
  messages: readonly ContextMessage[];
  schema: JsonSchema;
  maxOutputTokens: number;
}

export interface ChangeAsking {
  request: ChangeRequest;
  read(text: string): CheckedAnswer;
  /** Each piece of an answer as it comes. */
  onDelta(text: string): Promise<void> | void;
}

export interface CheckedAnswer extends ReadAnswer {
  /** What rules say against it. */
  objections: AnswerProblem[];
}

export interface ChangeAnswer extends CheckedAnswer {
  /** How often the model was asked. */
  rounds: number;
  reason: 'stop' | 'length' | 'calls' | 'filtered';
}

/** Problems that a second request repeats. */
const MOST_PROBLEMS = 20;

/** An answer that breaks the schema or a rule is asked for once more; the better one of the two counts. */
export async function askForChange(session: ModelSession, asking: ChangeAsking): Promise<ChangeAnswer> {
  const first = await answerTo(session, asking, asking.request.messages);
  const faults = faultsOf(first);
  if (faults.length === 0 || first.reason === 'filtered') return { ...first, rounds: 1 };
  const second = await answerTo(session, asking, [
    ...asking.request.messages,
    { role: 'assistant', content: first.text === '' ? '(nothing)' : first.text },
    { role: 'user', content: repairText(faults) },
  ]);
  return { ...(faultsOf(second).length <= faults.length ? second : first), rounds: 2 };
}

const faultsOf = ({ problems, objections }: CheckedAnswer): AnswerProblem[] => [...problems, ...objections];

type Messages = Parameters<ModelSession['chat']>[0]['messages'];

async function answerTo(session: ModelSession, { request, read, onDelta }: ChangeAsking, messages: Messages) {
  let text = '';
  let reason: ChangeAnswer['reason'] = 'stop';
  const { schema, maxOutputTokens } = request;
  for await (const event of session.chat({ messages, schema, maxOutputTokens })) {
    if (event.type === 'end') reason = event.reason;
    // Nobody offered it a tool: what it calls is nothing.
    if (event.type !== 'delta') continue;
    text += event.text;
    await onDelta(event.text);
  }
  return { ...read(text), text, reason };
}

const repairText = (problems: readonly AnswerProblem[]): string =>
  [
    'That answer cannot be used as it is:',
    ...problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => `- ${path || 'the answer'} ${message}`),
    'Answer once more with the whole JSON object, and with nothing else.',
  ].join('\n');
