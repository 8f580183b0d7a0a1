import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Answer, LlmBody } from './answer.ts';
import { anthropicErrorEvent, anthropicEvents } from './anthropic-dialect.ts';
import { openAiErrorEvent, openAiEvents } from './openai-dialect.ts';

const ODD_SIZES = [1, 2, 3, 5, 7, 11];

/** Writes an answer as server-sent events, with whatever goes wrong in it. */
export async function streamAnswer(
  response: ServerResponse,
  answer: Answer,
  body: LlmBody,
  dialect: 'openai' | 'anthropic',
): Promise<void> {
  const { before, pieces, end } =
    dialect === 'openai' ? openAiEvents(answer, body.model) : anthropicEvents(answer, body);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const write = writer(response, answer);
  if (answer.failWith) {
    await write(
      dialect === 'openai' ? openAiErrorEvent(answer.failWith) : anthropicErrorEvent(answer.failWith),
    );
    return void response.end();
  }
  for (const text of before) await write(text);
  if (answer.endless) return goOn(response, pieces);
  const [first = '', ...rest] = pieces;
  await write(first);
  if (answer.silent === 'later') return;
  if (answer.hangUp === 'reset') {
    // The bytes that were written are to arrive first.
    await turn();
    return void response.destroy();
  }
  if (answer.hangUp === 'end') return void response.end();
  for (const text of [...rest, ...end]) await write(text);
  response.end();
}

function writer(response: ServerResponse, { chunks = 'events' }: Answer) {
  return async (text: string): Promise<void> => {
    if (response.destroyed || text === '') return;
    if (chunks === 'events') return void response.write(text);
    const bytes = Buffer.from(text);
    for (let at = 0, turns = 0; at < bytes.length && !response.destroyed; turns += 1) {
      const size = chunks === 'drip' ? 1 : (ODD_SIZES[turns % ODD_SIZES.length] ?? 1);
      response.write(bytes.subarray(at, at + size));
      at += size;
      await turn();
    }
  };
}

async function goOn(response: ServerResponse, pieces: readonly string[]): Promise<void> {
  const [piece = ''] = pieces;
  while (!response.destroyed) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await turn();
  }
}
