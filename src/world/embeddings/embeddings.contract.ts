import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import {
  Count,
  closed,
  NullableText,
  named,
  nullableInteger,
  nullableText,
  Text,
} from '../../kit/schemas.ts';

const Passage = named('Passage', {
  text: Type.String({ description: 'As in the file; cut if it is long' }),
  line_from: Type.Integer({ description: 'Counted from 1 in the entity’s file' }),
  line_to: Type.Integer(),
});

export const NullablePassage = Type.Union([Passage, Type.Null()], {
  description: 'The best passage; null while a change of the entity has not been read yet',
});

export const Score = Type.Number({
  description: '1 for texts that mean the same, around 0 for texts that have nothing in common',
});

export const EmbeddingProgress = named('EmbeddingProgress', {
  state: Type.Enum(['indexing', 'ready', 'failed'], {
    description: 'Until it is `ready`, only entities read so far can be found',
  }),
  done: Type.Integer({ minimum: 0, description: 'Entities read so far' }),
  total: Count,
  problem: nullableText('Why it could not go on'),
});

const found = { entity_type: Text, entity_id: Text, name: Text, score: Score, passage: NullablePassage };

const examplePassage = {
  text: 'She reads the tide tables aloud to the harbour each morning.',
  line_from: 24,
  line_to: 26,
};
const exampleFound = {
  entity_type: 'character',
  entity_id: 'mira_vale',
  name: 'Mira Vale',
  score: 0.71,
  passage: examplePassage,
};
export const exampleProgress = { state: 'ready' as const, done: 214, total: 214, problem: null };

const shared = { auth: 'bearer', project: true, tag: 'Meaning' } as const;
const limitOf = (most: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: 10 }));

export const TypesQuery = Type.Optional(
  Type.String({ maxLength: 2_000, description: 'Comma-separated types; all by default' }),
);

export const similarEntities = contract('GET /api/entity/{type}/{id}/similar', {
  ...shared,
  name: 'similarEntities',
  summary: 'Find entities that are about similar things',
  description:
    'By meaning, not by words. The first call in a project begins to read its entities in the background; `index` tells the progress. Nothing leaves the machine unless an admin has chosen a provider.',
  params: Type.Object({ type: Text, id: Text }),
  query: Type.Object({ types: TypesQuery, limit: limitOf(50) }),
  reply: Type.Object({ similar: Type.Array(named('SimilarEntity', found)), index: EmbeddingProgress }),
  errors: [404, 409],
  example: {
    params: { type: 'character', id: 'oda_pell' },
    query: { limit: 5 },
    reply: { similar: [exampleFound], index: exampleProgress },
  },
});

const EntityKey = closed({ entity_type: Text, entity_id: Text });

export const saidBefore = contract('POST /api/ai/said-before', {
  ...shared,
  name: 'saidBefore',
  role: PERMISSIONS.read_content,
  summary: 'Find passages that say the same as a text',
  description:
    'For a selection: was this said before? Only the first eight parts of a long text are compared. `exact` marks passages with the same words, whatever their case and punctuation.',
  body: closed({
    text: Type.String({ minLength: 1, maxLength: 20_000 }),
    exclude: Type.Optional({ ...EntityKey, description: 'The entity that the text is from' }),
    limit: limitOf(50),
  }),
  reply: Type.Object({
    passages: Type.Array(named('SaidBefore', { ...found, exact: Type.Boolean() })),
    index: EmbeddingProgress,
  }),
  errors: [404, 409],
  example: {
    body: {
      text: 'Every morning she reads out the tide tables.',
      exclude: { entity_type: 'quest', entity_id: 'low_tide' },
    },
    reply: { passages: [{ ...exampleFound, exact: false }], index: exampleProgress },
  },
});

const Use = Type.Enum(['local', 'provider', 'off'], {
  description:
    '`local`: a small English model of this installation; nothing is sent. `provider`: the texts of all entities are sent to the named provider. `off`: texts are not compared by meaning',
});

const EmbeddingStatus = named('EmbeddingStatus', {
  use: Use,
  provider: nullableText('The provider that gets the texts; null if none does'),
  model: nullableText('Of the present vectors'),
  dimensions: nullableInteger('Numbers in a vector'),
  index: Type.Union([EmbeddingProgress, Type.Null()], {
    description: 'Null if nobody has searched by meaning yet, or if it is switched off',
  }),
  passages: Type.Integer({ minimum: 0, description: 'Stretches of text that can be found' }),
  chosen_by: NullableText,
  providers: Type.Array(
    Type.Object({
      name: Text,
      scope: Type.Enum(['installation', 'tenant', 'user']),
      model: Text,
      costs_credits: Type.Boolean(),
    }),
    { description: 'Those that could be chosen' },
  ),
});

const exampleStatus = {
  use: 'local' as const,
  provider: null,
  model: 'universal-sentence-encoder-lite-en@0.2.0',
  dimensions: 512,
  index: exampleProgress,
  passages: 1_630,
  chosen_by: null,
  providers: [],
};

export const embeddingStatus = contract('GET /api/ai/embeddings', {
  ...shared,
  name: 'embeddingStatus',
  summary: 'Which model compares texts, and its progress',
  description:
    'Entities are read in the background once somebody searches by meaning, and after each change.',
  reply: EmbeddingStatus,
  errors: [409],
  example: { reply: exampleStatus },
});

export const chooseEmbeddings = contract('PUT /api/ai/embeddings', {
  ...shared,
  name: 'chooseEmbeddings',
  role: PERMISSIONS.manage_settings,
  summary: 'Choose which model compares texts',
  description:
    'With another model, all entities are read again. With a provider, the texts of all entities of the project are sent to it, now and after each change, and credits are charged if it costs any. Only providers of the tenant or the installation can be chosen, since everybody’s searches use them.',
  body: closed({
    use: Use,
    provider: Type.Optional(Type.String({ description: 'The provider’s name, with `use: provider`' })),
  }),
  reply: EmbeddingStatus,
  errors: [409],
  example: { body: { use: 'local' }, reply: exampleStatus },
});
