import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { Text } from '../../kit/schemas.ts';

const At = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'A time in ISO 8601, such as `2026-03-02T10:15:00Z`',
});

const pastProperties = {
  entity_type: Text,
  entity_id: Text,
  name: Text,
  status: Text,
  version: Type.Integer(),
  updated_at: Text,
};

const example = {
  entity_type: 'character',
  entity_id: 'mira_vale',
  name: 'Mira Vale',
  status: 'active',
  version: 2,
  updated_at: '2026-03-02T10:15:00.000Z',
};
const query = { at: '2026-03-03T00:00:00Z' };

export const listHistory = contract('GET /api/history', {
  name: 'listHistory',
  auth: 'bearer',
  project: true,
  tag: 'Revisions',
  summary: 'List a project’s entities as they were at a time',
  description: 'Entities that were deleted since are in it, those made later are not.',
  query: Type.Object({ ...pageQuery, at: At, type: Type.Optional(Text) }),
  reply: pageReply({ at: Text, entities: Type.Array(Type.Object(pastProperties)) }),
  example: {
    query,
    reply: { total: 1, offset: 0, limit: 50, at: '2026-03-03T00:00:00.000Z', entities: [example] },
  },
});

export const getHistory = contract('GET /api/history/{type}/{id}', {
  name: 'getHistory',
  auth: 'bearer',
  project: true,
  tag: 'Revisions',
  summary: 'Read an entity as it was at a time',
  params: Type.Object({ type: Text, id: Text }),
  query: Type.Object({ at: At }),
  reply: Type.Object({
    ...pastProperties,
    fields: Type.Record(Text, Type.Unknown()),
    markdown_body: Text,
    content: Type.String({ description: 'The file’s full text as it was' }),
  }),
  errors: [404],
  example: {
    params: { type: 'character', id: 'mira_vale' },
    query,
    reply: {
      ...example,
      fields: { occupation: 'Tide reader' },
      markdown_body: '# Mira Vale\n',
      content: '---\nid: mira_vale\noccupation: Tide reader\n---\n\n# Mira Vale\n',
    },
  },
});
