import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';

/** The interface that all packages of the library share, by the names of its own package, which comes with them. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider['chatModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
export type Prompt = CallOptions['prompt'];
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;
