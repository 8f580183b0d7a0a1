import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { NullableText, named, nullableText, Text } from '../../kit/schemas.ts';

const Activity = named('Activity', {
  what: Type.Enum(['created', 'changed', 'deleted']),
  entity_type: Text,
  entity_id: Text,
  name: Text,
  version: Type.Integer(),
  at: Text,
  by: nullableText('The user; null for a change outside of the API'),
  operation_id: nullableText('The operation that changed several files at once, if it was one'),
});

export const listActivity = contract('GET /api/activity', {
  name: 'listActivity',
  auth: 'bearer',
  project: true,
  tag: 'Entities',
  summary: 'List what changed last',
  description:
    'The newest change of each entity over all types, and what is in the recycle bin, newest first. Earlier changes of an entity are its revisions.',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    cursor: Type.Optional(Type.String({ maxLength: 60, description: '`next_cursor` of the page before' })),
  }),
  reply: Type.Object({
    items: Type.Array(Activity),
    next_cursor: { ...NullableText, description: 'Null on the last page' },
  }),
  example: {
    query: { limit: 1 },
    reply: {
      items: [
        {
          what: 'changed',
          entity_type: 'character',
          entity_id: 'mira_vale',
          name: 'Mira Vale',
          version: 3,
          at: '2026-03-02T10:15:00.000Z',
          by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
          operation_id: null,
        },
      ],
      next_cursor: '2026-03-02T10:15:00.000Z~4294967296',
    },
  },
});
