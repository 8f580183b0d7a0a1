import assert from 'node:assert/strict';
import type { ToolDescription } from '../../../src/platform/llm/llm.ts';
import type { LlmRequest } from './answer.ts';

/** A message in the form in which replies show it. */
export interface ShownMessage {
  role: string;
  content: string;
  pictures?: { media_type: string; data: string }[];
  calls?: { id: string; name: string; input: unknown }[];
  callId?: string;
}

/** A question as replies show it. */
export interface Shown {
  messages: ShownMessage[];
  schema: unknown;
  max_output_tokens: number;
}

/** Parts of a message in OpenAI's dialect; texts are the same in Anthropic's. */
type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

interface Call {
  id: string;
  function: { name: string; arguments: string };
}

/** The messages of a request; tools and pictures in OpenAI's dialect only. */
export function sentMessages({ body }: LlmRequest): ShownMessage[] {
  const system = typeof body?.system === 'string' ? [{ role: 'system', content: body.system }] : [];
  return [...system, ...(body?.messages ?? []).map(messageOf)];
}

function messageOf(message: Record<string, unknown>): ShownMessage {
  const { role, content, tool_calls: calls, tool_call_id: callId } = message;
  const parts: Part[] = Array.isArray(content) ? content : [{ type: 'text', text: String(content ?? '') }];
  const pictures = parts.flatMap((part) => {
    const found = part.type === 'image_url' ? /^data:([^;]+);base64,(.*)$/.exec(part.image_url.url) : null;
    return found ? [{ media_type: found[1] ?? '', data: found[2] ?? '' }] : [];
  });
  return {
    role: String(role),
    content: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    ...(pictures.length > 0 && { pictures }),
    ...(Array.isArray(calls) && { calls: calls.map(callOf) }),
    ...(callId !== undefined && { callId: String(callId) }),
  };
}

const callOf = ({ id, function: { name, arguments: input } }: Call) => ({
  id,
  name,
  input: JSON.parse(input) as unknown,
});

/** The tools of a request in OpenAI's dialect. */
export const sentTools = ({ body }: LlmRequest): ToolDescription[] =>
  (body?.tools ?? []).map((tool) => {
    const { name, description, parameters } = tool.function as Record<string, unknown>;
    return {
      name: String(name),
      description: String(description),
      input: parameters as ToolDescription['input'],
    };
  });

/** A first request sends what was shown, and nothing else. */
export function assertSentAsShown(request: LlmRequest | undefined, shown: Shown): void {
  assert.ok(request?.body, 'nothing was sent');
  assert.deepEqual(sentMessages(request), shown.messages);
  const { max_tokens, response_format: format, ...rest } = request.body;
  assert.deepEqual((format as { json_schema?: { schema?: unknown } }).json_schema?.schema, shown.schema);
  assert.equal(max_tokens, shown.max_output_tokens);
  assert.deepEqual(Object.keys(rest).sort(), ['messages', 'model', 'stream', 'stream_options']);
}
