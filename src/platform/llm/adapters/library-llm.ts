import { estimateTokens } from '../../../text/tokens.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { LLM_LIMITS, type LlmLimits } from '../limits.ts';
import { type ChatEvent, type Embedded, type Llm, LlmError, type ModelAddress } from '../llm.ts';
import { attempt, failureOf } from './attempts.ts';
import { beginChat } from './begin-chat.ts';
import { createDeclinedSchemas } from './declined-schemas.ts';
import type { GuardedCall } from './guarded-fetch.ts';
import { openEmbeddings } from './library-models.ts';
import { listModels } from './list-models.ts';

export interface LibraryLlmOptions {
  outgoing: Outgoing;
  limits?: Partial<LlmLimits>;
}

/**
 * Models behind HTTP, by the packages of the AI SDK. Its providers are called directly: its own `streamText` would
 * add repeats, a log and copies of each stream.
 */
export function createLibraryLlm({ outgoing, limits: given }: LibraryLlmOptions): Llm {
  const limits = { ...LLM_LIMITS, ...given };
  const declined = createDeclinedSchemas(limits.schemaDeclinedMs);

  async function once<Result>(
    address: ModelAddress,
    signal: AbortSignal,
    work: (call: GuardedCall) => Promise<Result>,
  ): Promise<Result> {
    const { result, call } = await attempt({ outgoing, limits, address, signal }, work);
    call.end();
    return result;
  }

  return {
    async *chat(address, request, signal) {
      const options = { outgoing, limits, address, signal };
      const asked = { address, request, signal };
      const { result, call } = await attempt(options, (each) => beginChat(asked, each, declined));
      const { first, rest, schemaDeclined } = result;
      const shown = (event: ChatEvent): ChatEvent =>
        event.type === 'end' && schemaDeclined ? { ...event, schemaDeclined } : event;
      try {
        yield shown(first);
        for await (const event of { [Symbol.asyncIterator]: () => rest }) yield shown(event);
      } catch (error) {
        throw failureOf(error, call, options);
      } finally {
        call.end();
      }
    },

    embed: (address, texts, signal) =>
      once(address, signal, async ({ fetch }): Promise<Embedded> => {
        const model = await openEmbeddings(address, fetch);
        const { embeddings, usage } = await model.doEmbed({ values: [...texts], abortSignal: signal });
        requireAlike(embeddings, texts.length);
        const inputTokens = usage?.tokens || texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        return {
          vectors: embeddings.map((each) => Float32Array.from(each)),
          usage: { inputTokens, outputTokens: 0 },
        };
      }),

    models: (address, signal) => once(address, signal, ({ fetch }) => listModels(address, fetch)),
  };
}

function requireAlike(vectors: readonly (readonly number[])[], count: number): void {
  const [first] = vectors;
  const areAlike = vectors.every(({ length }) => length > 0 && length === first?.length);
  if (vectors.length !== count || !areAlike)
    throw new LlmError(
      'bad_answer',
      `${count} vectors of one length were expected, and the answer has ${vectors.length}`,
    );
}
