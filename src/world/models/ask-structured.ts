import { checkSchema, extractJson } from '../../content/ai/index.ts';
import type { ChatMessage, JsonSchema } from '../../platform/llm/llm.ts';
import type { JsonMap } from '../../text/json.ts';
import { type AnswerText, answerText } from './answer-text.ts';
import type { ModelSession } from './models.ts';

export interface StructuredQuestion {
  messages: readonly ChatMessage[];
  /** Of an object. */
  schema: JsonSchema;
  maxOutputTokens: number;
  /** Finds faults that a schema cannot express, in a value that fits the schema. */
  check?(value: JsonMap): readonly string[];
}

export interface StructuredAnswer {
  /** Null if no answer was JSON of the schema. A value that only `check` objects to is returned. */
  value: JsonMap | null;
  /** Of the last answer; empty if it is good. */
  problems: readonly string[];
}

/** Problems that a second question repeats. */
const MOST_PROBLEMS = 20;

/**
 * Asks for JSON of a schema. An answer with problems is asked for once more: with the same messages, that answer and its problems,
 * and nothing else.
 */
export async function askStructured(
  session: ModelSession,
  question: StructuredQuestion,
): Promise<StructuredAnswer> {
  const { messages, schema, maxOutputTokens } = question;
  const ask = (asked: readonly ChatMessage[]) =>
    answerText(session, { messages: asked, schema, maxOutputTokens });
  const first = await ask(messages);
  const read = readAnswer(first, question);
  if (read.problems.length === 0) return read;
  const second = await ask([
    ...messages,
    { role: 'assistant', content: first.text === '' ? '(nothing)' : first.text },
    { role: 'user', content: repairOf(read.problems) },
  ]);
  const repaired = readAnswer(second, question);
  return repaired.value === null && read.value !== null ? read : repaired;
}

const repairOf = (problems: readonly string[]): string =>
  [
    'That answer cannot be used:',
    ...problems.slice(0, MOST_PROBLEMS).map((problem) => `- ${problem}`),
    'Answer once more, with JSON of the same schema and nothing else.',
  ].join('\n');

function readAnswer({ text, reason }: AnswerText, { schema, check }: StructuredQuestion): StructuredAnswer {
  if (reason === 'filtered') return { value: null, problems: ['the provider withheld the answer'] };
  const value = extractJson(text);
  if (value === undefined) {
    const problem = reason === 'length' ? 'the answer was cut off' : 'the answer is no JSON object';
    return { value: null, problems: [problem] };
  }
  const faults = checkSchema(schema, value);
  if (faults.length > 0)
    return { value: null, problems: faults.map(({ path, message }) => `${path || 'the answer'} ${message}`) };
  return { value, problems: check?.(value) ?? [] };
}
