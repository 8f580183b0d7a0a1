import assert from 'node:assert/strict';
import type { AiCore } from './ai.ts';
import type { CallOptions, TestReply } from './core.ts';
import type { LlmRequest } from './llm/answer.ts';
import { sentMessages } from './llm/sent.ts';

export interface ShownRequest {
  provider: string;
  messages: { role: string; content: string }[];
  schema: unknown;
  max_output_tokens: number;
  tokens: number;
  price: { one_round: number; most: number };
  sources: { kind: string; ref: string }[];
  cut: { ref: string; reason: string }[];
  skills: string[];
  unknown_variables: string[];
}

export interface Shown {
  dry_run: true;
  requests: ShownRequest[];
  prompt_hash: string;
  price: number;
}

/**
 * Asks for a preview and then for the real thing, and compares byte by byte: the first requests say what was shown and nothing else, and
 * what is asked after an answer begins with it. A preview sends nothing.
 */
export async function askAsShown<Body>(
  core: AiCore,
  url: string,
  body: object,
  options: CallOptions = {},
): Promise<{ shown: Shown; reply: TestReply<Body>; sent: LlmRequest[] }> {
  const before = core.llm.chats().length;
  const preview = await core.call<Shown>('POST', url, {
    ...options,
    body: { ...body, dry_run: true },
  });
  assert.equal(preview.status, 200, preview.text);
  assert.equal(core.llm.chats().length, before, 'a preview sends nothing');
  const reply = await core.call<Body>('POST', url, { ...options, body });
  const sent = core.llm.chats().slice(before);
  assertAsShown(preview.body, sent);
  return { shown: preview.body, reply, sent };
}

export function assertAsShown({ requests }: Pick<Shown, 'requests'>, sent: readonly LlmRequest[]): void {
  const shown = requests.map(({ messages }) => JSON.stringify(messages));
  for (const request of sent) {
    const said = sentMessages(request);
    assert.equal(request.body?.tools, undefined, 'a generation offers no tools');
    const begin = JSON.stringify(said.slice(0, 2));
    const isCombining = said.at(-1)?.content.includes('Several answers to this are above') ?? false;
    assert.ok(isCombining || shown.includes(begin), `not shown before it was sent:\n${begin}`);
    const later = said.slice(2).map(({ role }) => role);
    assert.ok(later.length === 0 || later.join() === 'assistant,user', `unexpected messages: ${later}`);
  }
}
