import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { closed, NullableText, named, Text } from '../../kit/schemas.ts';
import { local } from './desktop-projects.contract.ts';

export const listAiProviders = contract('GET /api/desktop/ai/providers', {
  ...local,
  name: 'listAiProviders',
  summary: 'What could answer in a chat',
  description: 'None in this version: chats are answered from the project alone.',
  reply: Type.Object({
    providers: Type.Array(
      Type.Object({ id: Text, name: Text, local: Type.Boolean(), configured: Type.Boolean() }),
    ),
    active: { ...NullableText, description: 'The one that answers' },
  }),
  example: {
    reply: {
      providers: [{ id: 'ollama', name: 'Ollama', local: true, configured: false }],
      active: null,
    },
  },
});

const Used = Type.Object({
  entity_type: Text,
  entity_id: Text,
  name: Text,
  passages: Type.Array(Text, { description: 'The passages that fit the question, as written' }),
  link: Type.String({ description: 'As texts link to it' }),
  url: Text,
});

export const chat = contract('POST /api/desktop/ai/chat', {
  ...local,
  name: 'chat',
  project: true,
  summary: 'Ask something about the world',
  description:
    'Works without a network: while no provider is configured, the answer is what the project itself says, with links to where it says so, and nothing is sent anywhere.',
  body: closed({
    message: Type.String({ minLength: 1, maxLength: 4_000 }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, description: 'Entities to draw on; 5 unless given' }),
    ),
  }),
  reply: named('ChatAnswer', {
    offline: Type.Boolean(),
    provider: NullableText,
    message: Type.Object({ role: Type.Literal('assistant'), content: Text }),
    entities: Type.Array(Used),
    terms: Type.Array(Text, { description: 'What was looked for' }),
  }),
  errors: [404, 503],
  example: {
    body: { message: 'Who reads the tide tables?' },
    reply: {
      offline: true,
      provider: null,
      message: {
        role: 'assistant',
        content:
          'This is what the project says:\n\n**Mira Vale** (character), [[character:mira_vale]]\n> Reads the tide tables aloud.',
      },
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
    },
  },
});
