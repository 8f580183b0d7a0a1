import { LlmError, type ModelAddress } from '../llm.ts';
import type { LanguageModel } from './library-types.ts';

/** The library reads a key from the environment where it is given none. */
const NO_KEY = '';

/** Loads the package of a dialect when it is first asked for. */
export async function openModel(
  { kind, baseUrl: baseURL, model, apiKey }: ModelAddress,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const settings = { baseURL, apiKey: apiKey ?? NO_KEY, fetch };
  if (kind === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic(settings)(model);
  }
  return (await openCompatible(settings)).chatModel(model);
}

export async function openEmbeddings(
  { kind, baseUrl: baseURL, model, apiKey }: ModelAddress,
  fetch: typeof globalThis.fetch,
) {
  if (kind === 'anthropic')
    throw new LlmError('refused', 'Providers of the kind anthropic have no embeddings');
  return (await openCompatible({ baseURL, apiKey: apiKey ?? NO_KEY, fetch })).embeddingModel(model);
}

async function openCompatible(settings: { baseURL: string; apiKey: string; fetch: typeof globalThis.fetch }) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    ...settings,
    name: 'openaiCompatible',
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
}
