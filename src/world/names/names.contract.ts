import { Type } from 'typebox';
import { contract, MEMORY } from '../../kit/contract.ts';
import { named, Text } from '../../kit/schemas.ts';

const TypeIndex = Type.Integer({ minimum: 0, description: 'Index into `types`' });

const Names = named('Names', {
  types: Type.Array(Text),
  t: Type.Array(TypeIndex),
  id: Type.Array(Text),
  name: Type.Array(Text),
  aliases: Type.Array(Type.Union([Type.Array(Text), Type.Null()]), {
    description: 'What the field `aliases` says: the first 50 of at most 200 characters each',
  }),
  status: Type.Array(Text),
  gone: Type.Array(Type.Object({ t: TypeIndex, id: Text }), {
    description: 'Entities that were deleted or have another id now',
  }),
  cursor: Type.String({ description: 'Send it next time' }),
  full: Type.Boolean({ description: 'All names are listed: what is not among them is gone' }),
});

export const listNames = contract('GET /api/names', {
  name: 'listNames',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  project: true,
  tag: 'Entities',
  summary: 'List the names of all entities',
  description:
    'For clients that find entities by name on their own. Columns of equal length: the same index in each is one entity. Without a cursor all entities are listed, with one those that changed since. Everything is listed too (`full`) where the cursor is older than a week or of another project, where types changed, and after mass changes.',
  query: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 60, description: 'Of an earlier reply' })),
  }),
  reply: Names,
  errors: [404],
  example: {
    query: { cursor: 'mhv2c0g0-1-1a-51ab02f4' },
    reply: {
      types: ['character', 'location'],
      t: [0],
      id: ['mira_vale'],
      name: ['Mira Vale'],
      aliases: [['The Clock']],
      status: ['active'],
      gone: [{ t: 1, id: 'old_mill' }],
      cursor: 'mhv2c0g0-1-1c-51ab02f4',
      full: false,
    },
  },
});
