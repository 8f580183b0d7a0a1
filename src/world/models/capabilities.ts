import { extractJson } from '../../content/ai/index.ts';
import { isMap } from '../../text/json.ts';
import { answerText } from './answer-text.ts';
import type { ProviderTestReply } from './models.contract.ts';
import type { ModelSession, Provider } from './models.ts';

/** Null if it works, else why not. */
export type Trial = (session: ModelSession, provider: Provider) => Promise<string | null>;

/** A red square of 16 by 16 points. */
const RED_SQUARE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAA1BMVEXgEBBZ7e9PAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQYlWNgGAUMSAAAARAAAVGhZwQAAAAASUVORK5CYII=',
  'base64',
);

/** Models that think first need some room. */
const ROOM = 400;
const asked = (content: string) => [{ role: 'user' as const, content }];

const tools: Trial = async (session) => {
  const number = { type: 'integer' };
  const input = { type: 'object', properties: { number }, required: ['number'], additionalProperties: false };
  const request = {
    messages: asked('Report the number 7 with the tool report_number. Say nothing else.'),
    tools: [{ name: 'report_number', description: 'Reports a number', input }],
    maxOutputTokens: ROOM,
  };
  for await (const event of session.chat(request))
    if (event.type === 'call' && event.call.name === 'report_number' && isMap(event.call.input)) return null;
  return 'It did not call the tool';
};

/** As for all questions for JSON: what a model writes around it does not matter. */
export async function tryStructuredOutput(
  session: ModelSession,
): Promise<ProviderTestReply['capabilities']['structured_output']> {
  const schema = {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  };
  const { text, schemaDeclined = false } = await answerText(session, {
    messages: asked('What colour is grass? Answer as JSON with the one key "colour".'),
    schema,
    maxOutputTokens: ROOM,
  });
  const works = typeof extractJson(text)?.colour === 'string';
  const detail = works ? null : 'Its answer was no JSON of the schema';
  return { works, detail, native: !schemaDeclined };
}

const vision: Trial = async (session) => {
  const [question] = asked('What colour is this square? Answer with one English word.');
  const pictures = [{ mediaType: 'image/png', bytes: RED_SQUARE }];
  const messages = question ? [{ ...question, pictures }] : [];
  const { text } = await answerText(session, { messages, maxOutputTokens: ROOM });
  return /\bred\b/i.test(text) ? null : 'It did not say what is on the picture';
};

const embeddings: Trial = async (session, { embeddingModel }) => {
  if (embeddingModel === null) return 'No model for embeddings is set';
  await session.embed(['Canonry']);
  return null;
};

export const TRIALS = { tools, vision, embeddings };
