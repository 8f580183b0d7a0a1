/** A model provider's API: OpenAI's (also Ollama, llama.cpp, vLLM, LM Studio, OpenRouter) or Anthropic's. */
export const DIALECTS = ['openai-compatible', 'anthropic'] as const;
export type Dialect = (typeof DIALECTS)[number];
