import { Type } from 'typebox';
import { binaryReply, contract, MEMORY } from '../../../kit/contract.ts';
import { NullableInteger, NullableText, nullableText, oneOf, Text } from '../../../kit/schemas.ts';

const shared = { auth: 'bearer', project: true, tag: 'Provenance' } as const;

const Part = Type.Object({
  field: Type.String({ description: 'A field, or `markdown_body`' }),
  hunk: nullableText('The block of lines of the proposal, for a body'),
  lines: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() }), {
    description: 'Lines in the present body, counted from 1',
  }),
  generated_words: Type.Integer(),
  kept_words: Type.Integer({ description: 'How many of them are still there' }),
  changed_share: Type.Number({ description: 'Share that people have changed or removed since, from 0 to 1' }),
  proposal_id: Text,
  change_set_id: NullableText,
  provider: NullableText,
  model: NullableText,
  agent: NullableText,
  skills: Type.Array(Text),
  prompt_hash: NullableText,
  accepted_by: Text,
  accepted_at: Text,
  version: NullableInteger,
});

export const getProvenance = contract('GET /api/entity/{type}/{id}/provenance', {
  ...shared,
  name: 'getProvenance',
  memory: MEMORY.ofTexts,
  summary: 'Which parts of an entity were generated and are still there',
  description:
    'By which proposal and model, who accepted it and when, and how much people have changed since. None of this is written into the entity’s file.',
  params: Type.Object({ type: Text, id: Text }),
  reply: Type.Object({
    entity_type: Text,
    entity_id: Text,
    version: Type.Integer(),
    method: Type.String({ description: 'How it is counted' }),
    words: Type.Record(Text, Type.Integer(), {
      description: 'Total words of each field that has generated text',
    }),
    total_words: Type.Integer(),
    parts: Type.Array(Part),
  }),
  errors: [404],
  example: {
    params: { type: 'character', id: 'mira_vale' },
    reply: {
      entity_type: 'character',
      entity_id: 'mira_vale',
      version: 7,
      method: 'Words are compared by the least difference, by lines first.',
      words: { markdown_body: 214 },
      total_words: 260,
      parts: [
        {
          field: 'markdown_body',
          hunk: 'h1',
          lines: [{ from: 3, to: 5 }],
          generated_words: 40,
          kept_words: 31,
          changed_share: 0.225,
          proposal_id: '3f0c2f0e-8f61-4b2f-9a44-2a7c3e7f9f11',
          change_set_id: null,
          provider: 'installation',
          model: 'llama3.1:8b',
          agent: null,
          skills: ['character_writer'],
          prompt_hash: '9f2c…',
          accepted_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
          accepted_at: '2026-03-02T10:15:00.000Z',
          version: 4,
        },
      ],
    },
  },
});

/** A page of entities with their proposals. */
const MEMORY_OF_DISCLOSURE = 16 * 1024 * 1024;

export const getDisclosure = contract('GET /api/ai/disclosure', {
  ...shared,
  name: 'getDisclosure',
  memory: MEMORY_OF_DISCLOSURE,
  summary: 'Which parts of the project were generated, for stores and publishers that ask',
  description:
    'Each field and body that still has generated text: how much, by which models, and how much people have changed since. As markdown in the words that stores use, as JSON, or as a table.',
  query: Type.Object({ format: Type.Optional(oneOf(['md', 'json', 'csv'])) }),
  reply: binaryReply,
  replyType: 'text/markdown',
  example: { query: { format: 'md' } },
});
