import { Type } from 'typebox';
import { MOST_DISTANCE } from '../../content/assets/index.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { NullableNumber, NullableText, Text } from '../../kit/schemas.ts';
import { Asset, exampleAsset, onAssets } from './assets.contract.ts';

export const listBrandAssets = contract('GET /api/assets/by-brand/{brand_id}', {
  ...onAssets,
  name: 'listBrandAssets',
  summary: 'Assets of a brand',
  description: "Those in the brand's folder, of entities that refer to it, and those related to either.",
  params: Type.Object({ brand_id: Text }),
  query: Type.Object(pageQuery),
  reply: pageReply({ assets: Type.Array(Asset) }),
  errors: [404],
  example: {
    params: { brand_id: 'broemmel_bruehe' },
    query: { limit: 50 },
    reply: { total: 1, offset: 0, limit: 50, assets: [exampleAsset] },
  },
});

const Brief = Type.Object({
  id: Text,
  path: Text,
  checksum_sha256: Text,
  size_bytes: Type.Integer(),
  width: NullableNumber,
  height: NullableNumber,
});
const { id, path, checksum_sha256, size_bytes, width, height } = exampleAsset;
const brief = { id, path, checksum_sha256, size_bytes, width, height };

export const listDuplicateAssets = contract('GET /api/assets/duplicates', {
  ...onAssets,
  name: 'listDuplicateAssets',
  memory: MEMORY.ofProject,
  summary: 'The same bytes twice, and pictures that look alike',
  description:
    'Both lists are paged alike. Pictures are looked at in the background after they are found: `pending` says how many are still to come. Pictures of one colour say nothing and are left out.',
  query: Type.Object({
    ...pageQuery,
    distance: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_DISTANCE,
        default: 5,
        description: 'In how many of 64 bits the looks of two pictures may differ',
      }),
    ),
  }),
  reply: Type.Object({
    offset: Type.Integer(),
    limit: Type.Integer(),
    distance: Type.Integer(),
    pending: Type.Integer(),
    exact_total: Type.Integer(),
    exact: Type.Array(
      Type.Object({
        checksum_sha256: Text,
        count: Type.Integer(),
        wasted_bytes: Type.Integer(),
        assets: Type.Array(Brief),
      }),
    ),
    similar_total: Type.Integer(),
    similar: Type.Array(Type.Object({ count: Type.Integer(), assets: Type.Array(Brief) })),
  }),
  example: {
    query: { distance: 5 },
    reply: {
      ...{ offset: 0, limit: 50, distance: 5, pending: 0, exact_total: 1, similar_total: 0, similar: [] },
      exact: [{ checksum_sha256, count: 2, wasted_bytes: size_bytes, assets: [brief] }],
    },
  },
});

export const listMissingAssets = contract('GET /api/assets/missing', {
  ...onAssets,
  name: 'listMissingAssets',
  memory: MEMORY.ofProject,
  summary: 'Files that entities name and that are not there',
  description:
    "Pictures, sounds, films and models in any field, looked for from the entity's folder and from the project's. An empty page with a `next_cursor` goes on.",
  query: Type.Object({
    cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  reply: Type.Object({
    missing: Type.Array(Type.Object({ entity_type: Text, entity_id: Text, field: Text, path: Text })),
    next_cursor: NullableNumber,
  }),
  example: {
    query: { limit: 50 },
    reply: {
      missing: [
        {
          entity_type: 'character',
          entity_id: 'mira_vale',
          field: 'primary_asset',
          path: 'images/portrait.png',
        },
      ],
      next_cursor: null,
    },
  },
});

const Groups = Type.Array(Type.Object({ value: NullableText, count: Type.Integer(), bytes: Type.Integer() }));

export const getAssetStats = contract('GET /api/assets/stats/overview', {
  ...onAssets,
  name: 'getAssetStats',
  summary: 'How many assets there are, and how large',
  reply: Type.Object({
    total: Type.Integer(),
    total_bytes: Type.Integer(),
    linked: Type.Integer(),
    unlinked: Type.Integer(),
    by_kind: Groups,
    by_status: Groups,
    by_entity_type: Groups,
    by_category: Groups,
  }),
  example: {
    reply: {
      ...{ total: 1, total_bytes: size_bytes, linked: 1, unlinked: 0 },
      by_kind: [{ value: 'image', count: 1, bytes: size_bytes }],
      by_status: [{ value: 'approved', count: 1, bytes: size_bytes }],
      by_entity_type: [{ value: 'character', count: 1, bytes: size_bytes }],
      by_category: [{ value: 'images', count: 1, bytes: size_bytes }],
    },
  },
});

export const testAssets = contract('GET /api/assets/test', {
  name: 'testAssets',
  auth: 'none',
  project: true,
  tag: 'Assets',
  summary: 'Whether assets can be read and looked at',
  reply: Type.Object({
    status: Type.Unsafe<'ok' | 'failed'>({ type: 'string', enum: ['ok', 'failed'] }),
    checks: Type.Array(Type.Object({ name: Text, ok: Type.Boolean(), detail: NullableText })),
  }),
  errors: [404],
  example: { reply: { status: 'ok', checks: [{ name: 'folder', ok: true, detail: null }] } },
});
