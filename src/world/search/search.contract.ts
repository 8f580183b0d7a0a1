import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { named, Text } from '../../kit/schemas.ts';
import {
  EmbeddingProgress,
  exampleProgress,
  NullablePassage,
  Score,
  TypesQuery,
} from '../embeddings/embeddings.contract.ts';
import { Entity, exampleEntity } from '../entities/entities.contract.ts';

export const SEARCH_MODES = ['keyword', 'semantic', 'hybrid'] as const;

const FoundEntity = named('FoundEntity', {
  ...Entity.properties,
  score: Type.Optional(Score),
  passage: Type.Optional(NullablePassage),
});

const Match = named('SearchMatch', {
  type: Text,
  id: Text,
  name: Text,
  status: Text,
  field: Type.String({ description: '`name`, `aliases`, the dotted path of a field, or `markdown_body`' }),
  snippet: Type.String({ description: 'Plain text of the file, at most 200 characters' }),
  ranges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
    description: 'Start and end of each match in the snippet, in UTF-16 code units',
  }),
});

export const searchAll = contract('GET /api/search', {
  auth: 'bearer',
  project: true,
  tag: 'Entities',
  name: 'searchAll',
  summary: 'Search all types',
  description:
    'Best matches over all types, grouped by type. `mode=keyword`, the default, finds words. `mode=semantic` finds what means something similar, whatever its words, and adds `score` and `passage` to each entity; `total` counts what is shown. `mode=hybrid` merges both by their ranks, so that what both find comes first. The first search by meaning begins to read the project in the background: `index` says how far that is. `view=brief` lists where the words are instead of whole entities: exact names come first, then those that begin with the words, then other names and aliases, then texts. It is for `mode=keyword`.',
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 400 }),
    types: TypesQuery,
    mode: Type.Optional(Type.Enum(SEARCH_MODES, { default: 'keyword' })),
    view: Type.Optional(Type.Enum(['full', 'brief'], { default: 'full' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  reply: Type.Object({
    total: Type.Integer(),
    groups: Type.Array(
      Type.Object({ entity_type: Text, total: Type.Integer(), entities: Type.Array(FoundEntity) }),
      { description: 'Empty with `view=brief`' },
    ),
    items: Type.Optional(Type.Array(Match, { description: 'With `view=brief` alone' })),
    index: Type.Optional(EmbeddingProgress),
  }),
  errors: [403, 404, 409],
  example: {
    query: { q: 'who looks after the sea', types: 'character,location', mode: 'semantic' },
    reply: {
      total: 1,
      groups: [
        {
          entity_type: 'character',
          total: 1,
          entities: [
            {
              ...exampleEntity,
              score: 0.62,
              passage: { text: 'Reads the tide tables aloud.', line_from: 14, line_to: 14 },
            },
          ],
        },
      ],
      index: exampleProgress,
    },
  },
});
