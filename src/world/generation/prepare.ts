import {
  answerSchema,
  buildContext,
  type Context,
  type ContextMessage,
  ContextTooLongError,
  UnknownVariableError,
} from '../../content/ai/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { invalid } from '../../kit/errors.ts';
import type { JsonSchema } from '../../platform/llm/llm.ts';
import type { Models, Provider } from '../models/index.ts';
import type { Gathered } from './gather.ts';

/** For the problems that a second request repeats. */
const REPAIR_TOKENS = 1_000;

interface ChangeRequest {
  messages: readonly ContextMessage[];
  schema: JsonSchema;
  maxOutputTokens: number;
}

/** One request to one provider, before it is sent. */
export interface Prepared {
  provider: Provider;
  gathered: Gathered;
  context: Context;
  request: ChangeRequest;
  /** Of the request and its answer. */
  tokens: number;
  /** With a second request, should the first answer be no good. */
  mostTokens: number;
}

/** The one place where requests of generations are made: what a preview shows is what is sent. 422 for a context that does not fit. */
export function prepare(gathered: Gathered, provider: Provider): Prepared {
  const answerTokens = Math.min(provider.maxOutputTokens, Math.floor(provider.contextTokens / 2));
  const window = { contextTokens: provider.contextTokens, answerTokens };
  const context = translating(() => buildContext({ ...gathered, window }));
  const tokens = context.tokens + answerTokens;
  return {
    provider,
    gathered,
    context,
    request: {
      messages: context.messages,
      schema: answerSchema(gathered.target),
      maxOutputTokens: answerTokens,
    },
    tokens,
    mostTokens: 2 * tokens + answerTokens + REPAIR_TOKENS,
  };
}

function translating<Result>(build: () => Result): Result {
  try {
    return build();
  } catch (error) {
    if (error instanceof ContextTooLongError)
      throw invalid(`${error.message}: ask for less, or take a model with a larger window`, {
        code: 'context_too_long',
      });
    if (error instanceof UnknownVariableError)
      throw invalid(`${error.message}. Correct them, or choose what becomes of unknown ones`, {
        code: 'unknown_variables',
      });
    throw error;
  }
}

/** Names what is said to a model: the same for the same messages. */
export const promptHash = (messages: readonly ContextMessage[]): string =>
  sha256Hex(JSON.stringify(messages));

export const previewOf = (models: Models, { provider, context, request, tokens, mostTokens }: Prepared) => ({
  provider: provider.name,
  model: provider.address.model,
  messages: request.messages.map(({ role, content }) => ({ role, content })),
  schema: request.schema,
  max_output_tokens: request.maxOutputTokens,
  tokens: context.tokens,
  price: { one_round: models.priceOf(provider, tokens), most: models.priceOf(provider, mostTokens) },
  sources: context.sources,
  cut: context.cut,
  skills: context.skills,
  unknown_variables: context.unknown_variables,
});

export type Preview = ReturnType<typeof previewOf>;
