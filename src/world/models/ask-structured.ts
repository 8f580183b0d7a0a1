import { checkSchema, extractJson } from '../../content/ai/index.ts';
import type { ChatMessage, JsonSchema } from '../../platform/llm/llm.ts';
import type { JsonMap } from '../../text/json.ts';
import type { AnswerText } from './answer-text.ts';
import { askWithRepair } from './ask-with-repair.ts';
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

/** Asks for JSON of a schema, and once more if the answer has problems. */
export async function askStructured(
  session: ModelSession,
  question: StructuredQuestion,
): Promise<StructuredAnswer> {
  const { messages, schema, maxOutputTokens } = question;
  const { first, second } = await askWithRepair(
    session,
    { messages, schema, maxOutputTokens },
    { read: (answer) => readAnswer(answer, question), faultsOf: ({ problems }) => problems },
  );
  if (second === null || (second.value === null && first.value !== null)) return first;
  return second;
}

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
