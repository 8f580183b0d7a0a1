import { Type } from 'typebox';
import {
  ASSET_KINDS,
  ASSET_STATUSES,
  ENTRY_TEXTS,
  LONGEST_ITEM,
  MOST_ITEMS,
} from '../../content/assets/index.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed, NullableNumber, NullableText, nullableText, oneOf, Text } from '../../kit/schemas.ts';

const AssetStatusWord = oneOf(ASSET_STATUSES);
const AssetKindWord = oneOf(ASSET_KINDS);

const Relationship = closed({
  target_type: oneOf(['asset', 'entity']),
  target_id: Type.String({
    minLength: 1,
    maxLength: LONGEST_ITEM,
    description: 'An asset id, or an entity as `type:id`',
  }),
  relationship_type: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,49}$',
    description: 'Such as depicts, variant_of, source_of',
  }),
});

const Version = Type.Object({
  version: Type.Integer(),
  checksum_sha256: Text,
  size_bytes: Type.Integer(),
  mime_type: Text,
  created_at: Text,
  created_by: NullableText,
});

export const Asset = Type.Object({
  id: Text,
  filename: Text,
  path: Type.String({ description: 'From the content folder' }),
  url: Type.String({ description: 'Where its bytes are served' }),
  kind: AssetKindWord,
  mime_type: Type.String({ description: 'What its bytes are, whatever it is called' }),
  size_bytes: Type.Integer(),
  checksum_sha256: Text,
  perceptual_hash: NullableText,
  placeholder: nullableText('A ThumbHash in Base64, to be shown while the picture is on its way'),
  width: NullableNumber,
  height: NullableNumber,
  duration: Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'Seconds' }),
  media: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description:
      'What else a sound, film or model tells of itself: container, audio_codec, video_codec, sample_rate (hertz), channels, bit_rate (bits a second); a glTF, binary or not, and a binary FBX tell their version, generator, how many meshes, materials, textures, animations, nodes and vertices they have, and (glTF) bounds; null for what it does not tell',
  }),
  entity_type: NullableText,
  entity_id: NullableText,
  category: NullableText,
  subcategory: NullableText,
  status: AssetStatusWord,
  tags: Type.Array(Text),
  keywords: Type.Array(Text),
  description: NullableText,
  license: NullableText,
  source: NullableText,
  ai_generated: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  created_at: Text,
  updated_at: Text,
  created_by: NullableText,
  versions: Type.Array(Version, { description: 'Newest first; the first is what is there now' }),
});

export const exampleAsset = {
  id: 'portrait_3fa94c21d0',
  filename: 'portrait.png',
  path: 'Characters/mira_vale/images/portrait.png',
  url: '/api/files/Characters/mira_vale/images/portrait.png',
  kind: 'image' as const,
  mime_type: 'image/png',
  size_bytes: 48_211,
  checksum_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  perceptual_hash: 'e0c8a1b3f4d2960f',
  placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
  width: 640,
  height: 800,
  duration: null,
  media: null,
  entity_type: 'character',
  entity_id: 'mira_vale',
  category: 'images',
  subcategory: null,
  status: 'approved' as const,
  tags: ['portrait'],
  keywords: [],
  description: 'Mira at the harbour wall',
  license: 'CC-BY-4.0',
  source: null,
  ai_generated: false,
  created_at: '2026-03-02T10:15:00.000Z',
  updated_at: '2026-03-02T10:15:00.000Z',
  created_by: null,
  versions: [
    {
      version: 1,
      checksum_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      size_bytes: 48_211,
      mime_type: 'image/png',
      created_at: '2026-03-02T10:15:00.000Z',
      created_by: null,
    },
  ],
};

const Words = Type.Array(Type.String({ minLength: 1, maxLength: LONGEST_ITEM }), { maxItems: MOST_ITEMS });
const textOf = (name: keyof typeof ENTRY_TEXTS) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: ENTRY_TEXTS[name] }));

/** The description that people give of an asset; null removes a text. */
const descriptionProperties = {
  tags: Type.Optional(Words),
  keywords: Type.Optional(Words),
  description: textOf('description'),
  license: textOf('license'),
  source: textOf('source'),
  category: textOf('category'),
  subcategory: textOf('subcategory'),
  ai_generated: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
};

export const AssetParams = Type.Object({ id: Type.String({ maxLength: 100 }) });
export const params = { id: exampleAsset.id };
export const onAssets = { auth: 'bearer', project: true, tag: 'Assets' } as const;
export const byEditors = { ...onAssets, role: 'editor' } as const;

const listQuery = {
  ...pageQuery,
  entity_type: Type.Optional(Text),
  entity_id: Type.Optional(Text),
  kind: Type.Optional(AssetKindWord),
  mime_type: Type.Optional(Text),
  category: Type.Optional(Text),
  subcategory: Type.Optional(Text),
  status: Type.Optional(AssetStatusWord),
  license: Type.Optional(Text),
  tags: Type.Optional(Type.String({ description: 'Comma-separated; an asset must have all of them' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Words of its path, texts, tags and keywords' }),
  ),
  ai_generated: Type.Optional(Type.Boolean()),
  linked: Type.Optional(
    Type.Boolean({ description: "false: those in no entity's folder and related to none" }),
  ),
  sort: Type.Optional(oneOf(['path', 'filename', 'size_bytes', 'created_at', 'updated_at', 'status'])),
  order: Type.Optional(oneOf(['asc', 'desc'])),
};

const page = { total: 1, offset: 0, limit: 50, assets: [exampleAsset] };
const AssetPage = pageReply({ assets: Type.Array(Asset) });

export const listAssets = contract('GET /api/assets', {
  ...onAssets,
  name: 'listAssets',
  summary: 'List assets',
  query: Type.Object(listQuery),
  reply: AssetPage,
  example: { query: { kind: 'image', limit: 50 }, reply: page },
});

export const listLinkedAssets = contract('GET /api/assets/linked', {
  ...onAssets,
  name: 'listLinkedAssets',
  summary: 'Assets that are linked to entities',
  description: "Those that lie in an entity's folder, or are related to one.",
  query: Type.Object({ ...pageQuery, entity_type: Type.Optional(Text), entity_id: Type.Optional(Text) }),
  reply: AssetPage,
  example: { query: { entity_type: 'character' }, reply: page },
});

export const getAsset = contract('GET /api/assets/{id}', {
  ...onAssets,
  name: 'getAsset',
  summary: 'One asset',
  params: AssetParams,
  reply: Asset,
  errors: [404],
  example: { params, reply: exampleAsset },
});

export const createAsset = contract('POST /api/assets', {
  ...byEditors,
  name: 'createAsset',
  summary: 'Describe a file of the content folder',
  description:
    'The file must be there. Its description is written to `_assets.yaml` beside it, and `id` is its id from then on. 409 if it has already been described.',
  body: closed({
    path: Type.String({ minLength: 1, maxLength: 1_000 }),
    id: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9_]{0,99}$' })),
    status: Type.Optional(AssetStatusWord),
    ...descriptionProperties,
  }),
  status: 201,
  reply: Asset,
  errors: [404, 409],
  example: { body: { path: exampleAsset.path, tags: ['portrait'] }, reply: exampleAsset },
});

export const updateAsset = contract('PUT /api/assets/{id}', {
  ...byEditors,
  name: 'updateAsset',
  summary: 'Change what is said about an asset',
  description: 'What is left out stays; null takes a text away. The file itself is not touched.',
  params: AssetParams,
  body: closed(descriptionProperties),
  reply: Asset,
  errors: [404, 409],
  example: { params, body: { license: 'CC-BY-4.0', tags: ['portrait'] }, reply: exampleAsset },
});

export const updateAssetStatus = contract('PUT /api/assets/{id}/status', {
  ...byEditors,
  name: 'updateAssetStatus',
  summary: "Change an asset's status",
  description:
    'draft → in_review → approved or rejected; approved → in_review; rejected and archived → draft; everything → archived. 409 for another step.',
  params: AssetParams,
  body: closed({ status: AssetStatusWord }),
  reply: Asset,
  errors: [404, 409],
  example: { params, body: { status: 'in_review' }, reply: { ...exampleAsset, status: 'in_review' } },
});

const relationship = {
  target_type: 'entity' as const,
  target_id: 'location:harbour',
  relationship_type: 'depicts',
};
const Relationships = Type.Object({
  asset_id: Text,
  relationships: Type.Array(Relationship),
  incoming: Type.Array(
    Type.Object({ asset_id: Text, relationship_type: Text }, { description: 'Assets related to this one' }),
  ),
});

export const addAssetRelationship = contract('POST /api/assets/{id}/relationships', {
  ...byEditors,
  name: 'addAssetRelationship',
  summary: 'Relate an asset to another asset or an entity',
  description: 'The target must be there. A relationship that is there already is not made twice.',
  params: AssetParams,
  body: Relationship,
  status: 201,
  reply: Relationships,
  errors: [404, 409],
  example: {
    params,
    body: relationship,
    reply: { asset_id: exampleAsset.id, relationships: [relationship], incoming: [] },
  },
});

export const listAssetRelationships = contract('GET /api/assets/{id}/relationships', {
  ...onAssets,
  name: 'listAssetRelationships',
  summary: 'What an asset is related to, and which assets are related to it',
  params: AssetParams,
  reply: Relationships,
  errors: [404],
  example: {
    params,
    reply: { asset_id: exampleAsset.id, relationships: [relationship], incoming: [] },
  },
});
