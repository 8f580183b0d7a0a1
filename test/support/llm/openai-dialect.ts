import { type Answer, callsOf, piecesOf, reasonOf, usageOf } from './answer.ts';

const REASONS = { stop: 'stop', length: 'length', calls: 'tool_calls', filtered: 'content_filter' };

/** The events of a streamed chat completion. The first ones are what comes before anything was said. */
export function openAiEvents(
  answer: Answer,
  model: string,
): { before: string[]; pieces: string[]; end: string[] } {
  const usage = usageOf(answer);
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const pieces = answer.calls && answer.text === undefined ? [] : piecesOf(answer);
  return {
    before: [
      ': scripted\n\n',
      chunk({ role: 'assistant', content: '' }),
      ...(answer.thinking === undefined ? [] : [chunk({ reasoning_content: answer.thinking })]),
    ],
    pieces: pieces.map((content) => chunk({ content })),
    end: [
      ...callsOf(answer).flatMap(({ id, name, input }, index) => {
        const half = Math.ceil(input.length / 2);
        const call = (fields: object) => chunk({ tool_calls: [{ index, ...fields }] });
        return [
          call({ id, type: 'function', function: { name, arguments: '' } }),
          call({ function: { arguments: input.slice(0, half) } }),
          call({ function: { arguments: input.slice(half) } }),
        ];
      }),
      chunk({}, REASONS[reasonOf(answer)]),
      ...(usage === null
        ? []
        : [
            event({
              id: 'chatcmpl-1',
              choices: [],
              usage: {
                prompt_tokens: usage.input,
                completion_tokens: usage.output,
                total_tokens: usage.input + usage.output,
              },
            }),
          ]),
      'data: [DONE]\n\n',
    ],
  };
}

export const openAiError = (message: string, type: string, code?: string | number) => ({
  error: { message, type, ...(code !== undefined && { code }) },
});

export const openAiErrorEvent = ({ message, type, code }: NonNullable<Answer['failWith']>): string =>
  event(openAiError(message, type, code));

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
