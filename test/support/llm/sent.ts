import assert from 'node:assert/strict';
import type { LlmRequest } from './answer.ts';

interface ShownMessage {
  role: string;
  content: string;
  pictures?: { media_type: string; data: string }[];
}

/** What a reply shows of a question. */
export interface Shown {
  messages: ShownMessage[];
  schema: unknown;
  max_output_tokens: number;
}

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

function messageOf({ role, content }: { role: string; content: unknown }): ShownMessage {
  if (typeof content === 'string') return { role, content };
  const parts = content as Part[];
  const pictures = parts.flatMap((part) => {
    const found = part.type === 'image_url' ? /^data:([^;]+);base64,(.*)$/.exec(part.image_url.url) : null;
    return found ? [{ media_type: found[1] ?? '', data: found[2] ?? '' }] : [];
  });
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return { role, content: text, ...(pictures.length > 0 && { pictures }) };
}

/** Of a request in OpenAI's dialect. */
export const sentMessages = ({ body }: LlmRequest): ShownMessage[] => (body?.messages ?? []).map(messageOf);

/** A first request sends what was shown, and nothing else. */
export function assertSentAsShown(request: LlmRequest | undefined, shown: Shown): void {
  assert.ok(request?.body, 'nothing was sent');
  assert.deepEqual(sentMessages(request), shown.messages);
  const { max_tokens, response_format: format, ...rest } = request.body;
  assert.deepEqual((format as { json_schema?: { schema?: unknown } }).json_schema?.schema, shown.schema);
  assert.equal(max_tokens, shown.max_output_tokens);
  assert.deepEqual(Object.keys(rest).sort(), ['messages', 'model', 'stream', 'stream_options']);
}
