import { conflict } from '../../kit/errors.ts';
import { estimateInput } from '../../platform/llm/estimate-usage.ts';
import type { ChatEvent, ChatRequest, Llm, Usage } from '../../platform/llm/llm.ts';
import { estimateTokens } from '../../text/tokens.ts';
import type { ModelSession, Spending } from './models.ts';

export interface CountedSession extends ModelSession {
  /** Of all requests so far, those that broke off included. */
  used(): Usage;
}

/** So that a request whose input was underestimated still gets an answer. */
const FEWEST_OUTPUT_TOKENS = 16;

/** Asks a provider and counts what it takes, within the tokens of the spending. */
export function createModelSession(
  llm: Llm,
  { provider, mostTokens, signal }: Pick<Spending, 'provider' | 'mostTokens' | 'signal'>,
): CountedSession {
  const used = { inputTokens: 0, outputTokens: 0 };
  const add = (usage: Usage): void => {
    used.inputTokens += usage.inputTokens;
    used.outputTokens += usage.outputTokens;
  };
  const left = (): number => mostTokens - used.inputTokens - used.outputTokens;
  const requireSome = (): void => {
    if (left() > 0) return;
    throw conflict(`The work has used its ${mostTokens} tokens`, { code: 'ai_limit_reached' });
  };

  /** Counts a request that got no end; it counts nothing if the provider failed before it said anything. */
  function addBroken(request: ChatRequest, said: string | null): void {
    if (said === null && !signal.aborted) return;
    add({ inputTokens: estimateInput(request), outputTokens: estimateTokens(said ?? '') });
  }

  async function* chat(request: ChatRequest): AsyncGenerator<ChatEvent> {
    requireSome();
    const most = Math.max(FEWEST_OUTPUT_TOKENS, left() - estimateInput(request));
    const bounded = { ...request, maxOutputTokens: Math.min(request.maxOutputTokens, most) };
    let said: string | null = null;
    let isOver = false;
    try {
      for await (const event of llm.chat(provider.address, bounded, signal)) {
        said ??= '';
        if (event.type === 'delta') said += event.text;
        else if (event.type === 'call') said += JSON.stringify(event.call.input);
        else {
          isOver = true;
          add(event.usage);
        }
        yield event;
      }
    } finally {
      if (!isOver) addBroken(request, said);
    }
  }

  return {
    chat,
    async embed(texts) {
      requireSome();
      const model = provider.embeddingModel;
      if (model === null)
        throw conflict(`The provider '${provider.name}' has no model for embeddings`, {
          code: 'ai_no_embeddings',
        });
      const embedded = await llm.embed({ ...provider.address, model }, texts, signal);
      add(embedded.usage);
      return embedded;
    },
    used: () => ({ ...used }),
  };
}
