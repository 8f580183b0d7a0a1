import { estimateTokens } from '../../text/tokens.ts';
import type { ChatMessage, ChatRequest } from './llm.ts';

/** As most providers count a picture of common size. */
const PICTURE_TOKENS = 1_000;
/** For the role and the marks around a message. */
const MESSAGE_TOKENS = 4;

/** Input tokens of a request, for providers that do not tell. */
export function estimateInput({ messages, tools = [], schema }: ChatRequest): number {
  const described = [...tools, ...(schema ? [schema] : [])].map((each) => JSON.stringify(each)).join('');
  return messages.reduce((sum, message) => sum + tokensOf(message), estimateTokens(described));
}

function tokensOf(message: ChatMessage): number {
  const text = MESSAGE_TOKENS + estimateTokens(message.content);
  if (message.role === 'user') return text + (message.pictures?.length ?? 0) * PICTURE_TOKENS;
  if (message.role === 'assistant' && message.calls)
    return text + estimateTokens(JSON.stringify(message.calls));
  return text;
}
