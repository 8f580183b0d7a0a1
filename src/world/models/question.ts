import { mostTokensIn } from '../../content/ai/index.ts';
import { newId } from '../../kit/ids.ts';
import type { ChatMessage } from '../../platform/llm/llm.ts';
import { askStructured, type StructuredAnswer, type StructuredQuestion } from './ask-structured.ts';
import type { AiCaller, Models, Provider } from './models.ts';
import type { ShownQuestion, UsedModel } from './question.contract.ts';

type Message = Extract<ChatMessage, { role: 'system' | 'user' }>;

/** A structured question that can be shown before it is asked. */
export interface Question extends StructuredQuestion {
  messages: readonly Message[];
}

export interface Asking {
  models: Models;
  caller: AiCaller;
  provider: Provider;
}

/** More than any provider counts for a picture within 1,024 pixels. */
const PICTURE_TOKENS = 1_600;
/** For the problems that a second request repeats, and for what surrounds messages. */
const REPAIR_TOKENS = 600;

const picturesOf = (message: Message) => (message.role === 'user' ? (message.pictures ?? []) : []);

const tokensOf = ({ messages, schema }: Question): number =>
  mostTokensIn(JSON.stringify(schema)) +
  messages.reduce(
    (sum, message) => sum + mostTokensIn(message.content) + picturesOf(message).length * PICTURE_TOKENS,
    0,
  );

/** Of both requests and answers together. */
export const mostTokensOf = (question: Question): number =>
  2 * tokensOf(question) + 3 * question.maxOutputTokens + REPAIR_TOKENS;

/** The first request of `askQuestion`. */
export function showQuestion({ models, provider }: Asking, question: Question): ShownQuestion {
  return {
    provider: provider.name,
    model: provider.address.model,
    messages: question.messages.map((message) => {
      const pictures = picturesOf(message).map(({ mediaType, bytes }) => ({
        media_type: mediaType,
        data: Buffer.from(bytes).toString('base64'),
      }));
      return { role: message.role, content: message.content, ...(pictures.length > 0 && { pictures }) };
    }),
    schema: { ...question.schema },
    max_output_tokens: question.maxOutputTokens,
    tokens: tokensOf(question),
    most_credits: models.priceOf(provider, mostTokensOf(question)),
  };
}

/** Asks within a reservation of its own. `kind` is the sort of expense. */
export async function askQuestion(
  { models, caller, provider }: Asking,
  question: Question,
  { kind, signal }: { kind: string; signal: AbortSignal },
): Promise<StructuredAnswer & { used: UsedModel }> {
  const spending = {
    provider,
    operation: { id: newId(), kind },
    mostTokens: mostTokensOf(question),
    signal,
  };
  const { result, usage, credits } = await models.spend(caller, spending, (session) =>
    askStructured(session, question),
  );
  return {
    ...result,
    used: {
      provider: provider.name,
      model: provider.address.model,
      usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      credits,
    },
  };
}
