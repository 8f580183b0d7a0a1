import type { ChatMessage, ChatRequest } from '../llm.ts';
import type { CallOptions, Prompt } from './library-types.ts';

/**
 * The library's form of a request. The schema is not sent as `strict`: that mode takes only a part of JSON Schema, and
 * callers validate anyway.
 */
export const callOptionsOf = (request: ChatRequest, signal: AbortSignal): CallOptions => ({
  prompt: request.messages.map(messageOf),
  maxOutputTokens: request.maxOutputTokens,
  ...(request.temperature !== undefined && { temperature: request.temperature }),
  ...(request.schema && { responseFormat: { type: 'json', name: 'answer', schema: request.schema } }),
  ...(request.tools && {
    tools: request.tools.map(({ name, description, input }) => ({
      type: 'function',
      name,
      description,
      inputSchema: input,
    })),
  }),
  providerOptions: { openaiCompatible: { strictJsonSchema: false } },
  abortSignal: signal,
});

function messageOf(message: ChatMessage): Prompt[number] {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content: [
          { type: 'text', text: message.content },
          ...(message.pictures ?? []).map(({ mediaType, bytes }) => ({
            type: 'file' as const,
            mediaType,
            data: { type: 'data' as const, data: bytes },
          })),
        ],
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]),
          ...(message.calls ?? []).map(({ id, name, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: 'text', value: message.content },
          },
        ],
      };
  }
}
