import { type Static, Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { Count, closed, NullableText, named, nullableText, oneOf, Text } from '../../kit/schemas.ts';

const EntityShape = { entity_type: Text, entity_id: Text };

const CHAT_LIMITS = { message: 4_000, turns: 20, turn: 8_000, entities: 20 } as const;

const ChatBody = closed({
  message: Type.String({ minLength: 1, maxLength: CHAT_LIMITS.message, pattern: '\\S' }),
  history: Type.Optional(
    Type.Array(
      closed({
        role: oneOf(['user', 'assistant'] as const),
        content: Type.String({ minLength: 1, maxLength: CHAT_LIMITS.turn }),
      }),
      {
        maxItems: CHAT_LIMITS.turns,
        description:
          'What was said before, oldest first. The server keeps no conversations. If it does not fit the model, the oldest is left out',
      },
    ),
  ),
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'By default the first that you may ask' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CHAT_LIMITS.entities,
      description: 'How many entities a search draws on; default 5',
    }),
  ),
  context: Type.Optional(
    closed(EntityShape, { description: 'The entity that the question is about: its file is sent along' }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'Send nothing; reply with what the first request would be, and what it costs',
    }),
  ),
});
export type ChatBody = Static<typeof ChatBody>;

const nullable = <Of extends ReturnType<typeof Type.Object>>(schema: Of) =>
  Type.Unsafe<Static<Of> | null>(Type.Union([schema, Type.Null()]));

const Reason = Type.Object({
  code: oneOf(['ai_off', 'ai_not_configured', 'ai_not_permitted', 'provider_failed'] as const),
  detail: Text,
});

const Citation = named('ChatCitation', {
  ...EntityShape,
  name: NullableText,
  line: Type.Integer({ minimum: 0, description: 'Of the file, from 1' }),
  end_line: Type.Integer({ minimum: 0 }),
  quote: nullableText('What the file says there; null if nothing bears the citation out'),
  url: NullableText,
  verified: Type.Boolean({
    description:
      'False if no tool has returned these lines: in the text such a citation ends with `, unverified`',
  }),
});

const Used = Type.Object({
  ...EntityShape,
  name: Text,
  passages: Type.Array(Text, { description: 'The passages that fit the question, as written' }),
  link: Type.String({ description: 'How texts link to it' }),
  url: Text,
});

const ToolUse = Type.Object({
  id: Text,
  name: Text,
  input: Type.Unknown({ description: 'As the model sent it' }),
  content: Type.String({ description: 'What the model was told, to the letter' }),
  failed: Type.Boolean(),
});

const ChatAnswer = named('ChatAnswer', {
  offline: Type.Boolean({
    description: 'True: the answer comes from search, and no model has said anything',
  }),
  reason: nullable(Reason),
  provider: NullableText,
  model: NullableText,
  message: Type.Object({ role: Type.Literal('assistant'), content: Text }),
  citations: Type.Array(Citation),
  entities: Type.Array(Used, { description: 'What a search drew on; empty if a model answered' }),
  terms: Type.Array(Text, { description: 'What was looked for in a search' }),
  tools: Type.Array(ToolUse, { description: 'What the model looked up' }),
  proposals: Type.Array(Type.Object({ proposal_id: Text, ...EntityShape }), {
    description: 'Changes that the model proposes: nothing is changed before somebody accepts them',
  }),
  finish: oneOf(['search', 'stop', 'length', 'filtered', 'limit'] as const),
  usage: nullable(Type.Object({ input_tokens: Count, output_tokens: Count })),
  credits: Count,
});

const Message = Type.Object({ role: oneOf(['system', 'user', 'assistant', 'tool'] as const), content: Text });

const ChatPreview = named('ChatPreview', {
  dry_run: Type.Literal(true),
  offline: Type.Boolean({
    description: 'True: nothing would be sent, and the answer would come from search',
  }),
  reason: nullable(Reason),
  provider: NullableText,
  model: NullableText,
  messages: Type.Array(Message, { description: 'Exactly what the first request says' }),
  tools: Type.Array(Type.Object({ name: Text, description: Text, input: Type.Unknown() })),
  max_output_tokens: Count,
  tokens: Type.Integer({ minimum: 0, description: 'Estimate for the first request' }),
  price: Type.Object({
    first_request: Type.Integer({ minimum: 0, description: 'Credits for it with the longest answer' }),
    most: Type.Integer({ minimum: 0, description: 'The most credits that the whole answer can cost' }),
  }),
});

export const ChatReply = Type.Union([ChatAnswer, ChatPreview]);
export type ChatAnswer = Static<typeof ChatAnswer>;
export type ChatPreview = Static<typeof ChatPreview>;
export type ChatReply = ChatAnswer | ChatPreview;

const question = { message: 'Who reads the tide tables?' };
const exampleAnswer: Static<typeof ChatAnswer> = {
  offline: true,
  reason: { code: 'ai_not_configured', detail: 'No AI provider is configured, so nobody else was asked.' },
  provider: null,
  model: null,
  message: {
    role: 'assistant',
    content:
      'This is what the project says:\n\n**Mira Vale** (character), [[character:mira_vale]]\n> Reads the tide tables aloud. [character/mira_vale:31]',
  },
  citations: [
    {
      entity_type: 'character',
      entity_id: 'mira_vale',
      name: 'Mira Vale',
      line: 31,
      end_line: 31,
      quote: 'Reads the tide tables aloud.',
      url: '/api/entity/character/mira_vale',
      verified: true,
    },
  ],
  entities: [
    {
      entity_type: 'character',
      entity_id: 'mira_vale',
      name: 'Mira Vale',
      passages: ['Reads the tide tables aloud.'],
      link: '[[character:mira_vale]]',
      url: '/api/entity/character/mira_vale',
    },
  ],
  terms: ['reads', 'tide', 'tables'],
  tools: [],
  proposals: [],
  finish: 'search',
  usage: null,
  credits: 0,
};

/** For the core's route and the desktop's. */
export const chatShape = {
  project: true,
  summary: 'Ask something about the world',
  description:
    'A configured model looks things up with tools (search, read, references, canon) and may propose changes, with the rights of the caller. Without a model, or if it fails before it says anything, the answer comes from search, with the same citations (`offline`). What is cited is checked against what the tools have returned. The server stores no conversation: send what was said before as `history`. With `Accept: text/event-stream` the reply is a stream of events; `dry_run` always replies with JSON.',
  body: ChatBody,
  reply: ChatReply,
  events: {
    context: 'What is sent in a round: its number, the messages that are new in it, and at first the tools',
    delta: 'The next piece of the answer: `text`',
    tool: 'A call of the model, and what it was told: `round`, `id`, `name`, `input`, `content`, `failed`',
    proposal: 'A change was proposed: `proposal_id`, `entity_type`, `entity_id`',
    usage: 'Once a model has answered: `input_tokens`, `output_tokens`, `credits`',
    answer: 'The whole answer, as the reply of `application/json` has it',
    error: 'Why the answer ends here',
  },
  errors: [402, 404, 409, 503],
  example: { body: question, reply: exampleAnswer },
};

export const chat = contract('POST /api/ai/chat', {
  ...chatShape,
  name: 'chat',
  auth: 'bearer',
  tag: 'Chat',
  description: `${chatShape.description} Viewers, who may not use AI, are answered from search.`,
});
