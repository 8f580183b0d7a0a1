import { type Answer, callsOf, type LlmBody, piecesOf, reasonOf, usageOf } from './answer.ts';

const REASONS = { stop: 'end_turn', length: 'max_tokens', calls: 'tool_use', filtered: 'refusal' };

/** The events of a streamed message. A text is put into the tool `json` where the request demands that tool. */
export function anthropicEvents(
  answer: Answer,
  body: LlmBody,
): { before: string[]; pieces: string[]; end: string[] } {
  const usage = usageOf(answer);
  const asTool = body.tools?.some(({ name }) => name === 'json') === true && answer.calls === undefined;
  const pieces = answer.calls && answer.text === undefined ? [] : piecesOf(answer);
  const thinks = answer.thinking !== undefined;
  const first = thinks ? 1 : 0;
  const block = asTool
    ? { type: 'tool_use', id: 'toolu_json', name: 'json', input: {} }
    : { type: 'text', text: '' };
  const delta = (piece: string) =>
    asTool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece };
  const calls = callsOf(answer);
  return {
    before: [
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: body.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: usage?.input ?? 0, output_tokens: 0 },
        },
      }),
      event('ping', {}),
      ...(thinks ? blockEvents(0, { type: 'thinking', thinking: '' }, [thinkingOf(answer)]) : []),
      ...(pieces.length > 0 ? [event('content_block_start', { index: first, content_block: block })] : []),
    ],
    pieces: pieces.map((piece) => event('content_block_delta', { index: first, delta: delta(piece) })),
    end: [
      ...(pieces.length > 0 ? [event('content_block_stop', { index: first })] : []),
      ...calls.flatMap(({ id, name, input }, at) =>
        blockEvents(first + 1 + at, { type: 'tool_use', id, name, input: {} }, [
          { type: 'input_json_delta', partial_json: input },
        ]),
      ),
      event('message_delta', {
        delta: {
          stop_reason: asTool && reasonOf(answer) === 'stop' ? 'tool_use' : REASONS[reasonOf(answer)],
          stop_sequence: null,
        },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      event('message_stop', {}),
    ],
  };
}

const thinkingOf = ({ thinking }: Answer) => ({ type: 'thinking_delta', thinking });

const blockEvents = (index: number, block: object, deltas: readonly object[]): string[] => [
  event('content_block_start', { index, content_block: block }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
];

export const anthropicError = (message: string, type: string) => ({
  type: 'error',
  error: { type, message },
});

export const anthropicErrorEvent = ({ message, type }: NonNullable<Answer['failWith']>): string =>
  event('error', { error: { type, message } });

const event = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
