import { type Static, Type } from 'typebox';
import { contract, MEMORY } from '../../kit/contract.ts';
import { NullableText, named, nullableInteger, nullableText, Text } from '../../kit/schemas.ts';

const EntitySummary = Type.Object({ entity_type: Text, entity_id: Text, name: Text, status: Text });

const referenceShape = {
  field: Type.String({ description: 'Dotted path of the field, or `markdown_body`' }),
  kind: Type.Enum(['field', 'link']),
  from: EntitySummary,
  to_type: nullableText('Null for a link that names no type'),
  to_id: Text,
  state: Type.Enum(['found', 'missing', 'ambiguous']),
  to: Type.Unsafe<Static<typeof EntitySummary> | null>(Type.Union([EntitySummary, Type.Null()])),
  candidates: Type.Array(EntitySummary, {
    description: 'Which entities may be meant where none, or more than one, is found',
  }),
};

const place = { file: Text, line: nullableInteger('From 1; null when the file has changed since') };
const Reference = named('Reference', {
  ...referenceShape,
  file: Type.Optional(place.file),
  line: Type.Optional(place.line),
});
const BrokenReference = named('BrokenReference', { ...referenceShape, ...place });

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }));
const cursor = Type.Optional(
  Type.String({ maxLength: 400, description: '`next_cursor` of the page before' }),
);
const types = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Comma-separated types; default all' }),
);
const nextCursor = nullableText(
  'Null on the last page. A page may hold fewer than `limit` while there are more',
);

const mira = { entity_type: 'character', entity_id: 'mira_vale', name: 'Mira Vale', status: 'active' };
const bell = {
  entity_type: 'event',
  entity_id: 'silence_of_the_bell',
  name: 'Silence of the bell',
  status: 'active',
};
const found = {
  field: 'markdown_body',
  kind: 'link',
  from: bell,
  to_type: null,
  to_id: 'mira_vale',
  state: 'found',
  to: mira,
  candidates: [],
};

const shared = { auth: 'bearer', project: true, tag: 'References' } as const;

export const listReferences = contract('GET /api/entity/{type}/{id}/references', {
  name: 'listReferences',
  ...shared,
  summary: 'What an entity refers to, or who refers to it',
  description:
    'References are the values of fields with a `reference_type` and `[[id]]` or `[[type:id]]` links in texts. A link without a type means the one entity of that id over all types; when several have it, it is `ambiguous`. With `state` only such references of the entity are listed and counted, with file and line; `candidates` are the entities of that id under another type, or whose id the written name gives.',
  params: Type.Object({ type: Text, id: Text }),
  query: Type.Object({
    direction: Type.Optional(
      Type.Enum(['out', 'in'], { default: 'out', description: '`in`: who refers to it, itself left out' }),
    ),
    state: Type.Optional(
      Type.Enum(['missing', 'ambiguous'], {
        description: 'What it refers to and is not there, or is there more than once',
      }),
    ),
    limit,
    cursor,
  }),
  reply: Type.Object({
    entity_type: Text,
    entity_id: Text,
    direction: Type.Enum(['out', 'in']),
    total: Type.Integer(),
    references: Type.Array(Reference),
    next_cursor: nextCursor,
  }),
  errors: [404],
  example: {
    params: { type: 'character', id: 'mira_vale' },
    query: { direction: 'in' },
    reply: {
      entity_type: 'character',
      entity_id: 'mira_vale',
      direction: 'in',
      total: 1,
      references: [found],
      next_cursor: null,
    },
  },
});

export const listBrokenReferences = contract('GET /api/references/broken', {
  name: 'listBrokenReferences',
  memory: MEMORY.ofProject,
  ...shared,
  summary: 'References that lead to no entity, or to more than one',
  description:
    'With file and line. Where a link names an entity of another type, or a name instead of an id, `candidates` says which entity may be meant.',
  query: Type.Object({ limit, cursor }),
  reply: Type.Object({ references: Type.Array(BrokenReference), next_cursor: nextCursor }),
  example: {
    query: { limit: 10 },
    reply: {
      references: [
        {
          ...found,
          to_id: 'Mira Vale',
          state: 'missing',
          to: null,
          candidates: [mira],
          file: 'Events/silence_of_the_bell/EVT_silence_of_the_bell.md',
          line: 45,
        },
      ],
      next_cursor: null,
    },
  },
});

export const listUnusedEntities = contract('GET /api/references/unused', {
  name: 'listUnusedEntities',
  memory: MEMORY.ofProject,
  ...shared,
  summary: 'Entities that no other entity refers to',
  query: Type.Object({ types, limit, cursor }),
  reply: Type.Object({ entities: Type.Array(EntitySummary), next_cursor: nextCursor }),
  errors: [404],
  example: { query: { types: 'character' }, reply: { entities: [mira], next_cursor: null } },
});

const GraphNode = named('GraphNode', {
  entity_type: Text,
  entity_id: Text,
  name: Text,
  status: Text,
  degree: Type.Integer({
    description: 'How many references start here or lead here, in the whole project',
  }),
});
const GraphEdge = named('GraphEdge', {
  from: Type.String({ description: '`type:id`' }),
  to: Type.String({ description: '`type:id`' }),
  field: Text,
  kind: Type.Enum(['field', 'link']),
});

export const getGraph = contract('GET /api/graph', {
  name: 'getGraph',
  memory: MEMORY.ofProject,
  ...shared,
  summary: 'The graph of a project, or around an entity',
  description:
    'Around an entity: what is within `depth` references of it, in either direction, and all edges among that. Without `around`: page after page of entities by type and id, each with the edges that start from them, also to entities of other pages. Edges that lead nowhere are not in it. `truncated` says that there is more than was sent.',
  query: Type.Object({
    around: Type.Optional(Type.String({ maxLength: 400, description: '`type:id`' })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, default: 1 })),
    types,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 200, description: 'Most nodes' }),
    ),
    cursor,
  }),
  reply: Type.Object({
    nodes: Type.Array(GraphNode),
    edges: Type.Array(GraphEdge),
    truncated: Type.Boolean(),
    next_cursor: NullableText,
  }),
  errors: [404],
  example: {
    query: { around: 'character:mira_vale', depth: 1 },
    reply: {
      nodes: [
        { ...mira, degree: 9 },
        { ...bell, degree: 4 },
      ],
      edges: [
        {
          from: 'event:silence_of_the_bell',
          to: 'character:mira_vale',
          field: 'markdown_body',
          kind: 'link',
        },
      ],
      truncated: false,
      next_cursor: null,
    },
  },
});
