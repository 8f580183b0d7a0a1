import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract } from '../../../kit/contract.ts';
import { NullableText, named, nullableInteger, nullableText, oneOf, Text } from '../../../kit/schemas.ts';
import { examplePlugin, PLUGIN_STATES, Plugin, reads } from '../plugins.contract.ts';

export const CATALOG_KINDS = ['plugins'] as const;
export const CATALOG_SOURCES = ['official', 'community'] as const;

const CATALOG_PROBLEMS = [
  'catalog_unavailable',
  'catalog_too_large',
  'catalog_not_signed',
  'catalog_invalid',
  'catalog_rolled_back',
] as const;
export type CatalogProblemCode = (typeof CATALOG_PROBLEMS)[number];

const Installed = Type.Object({ version: Text, state: oneOf(PLUGIN_STATES) });

const CatalogItem = named('CatalogItem', {
  id: Text,
  kind: oneOf(CATALOG_KINDS),
  source: oneOf(CATALOG_SOURCES),
  name: Text,
  version: Text,
  description: Text,
  author: Text,
  license: Text,
  homepage: NullableText,
  icon: nullableText('An emoji or a name'),
  trust_tier: Text,
  permissions: Type.Array(
    Type.Object({
      permission: Type.String({ description: 'In its normal form, such as `entities:write`' }),
      needs_consent: Type.Boolean({ description: 'Whether an admin is asked once it is installed' }),
    }),
  ),
  size: Type.Integer({ minimum: 1, description: 'Bytes of the archive' }),
  sha256: Text,
  min_canonry: nullableText('The oldest version of Canonry that it works with'),
  is_compatible: Type.Boolean({ description: 'Whether this Canonry is new enough for it' }),
  is_allowed: Type.Boolean({ description: 'Whether the tenant’s allowlist has it' }),
  installed: Type.Unsafe<Static<typeof Installed> | null>({
    ...Type.Union([Installed, Type.Null()]),
    description: 'As it is in the project; null if it is not',
  }),
  has_update: Type.Boolean({ description: 'Whether the installed version is older than this one' }),
});
export type CatalogItemReply = Static<typeof CatalogItem>;

const Problem = Type.Object({ code: oneOf(CATALOG_PROBLEMS), message: Text });

const Catalog = Type.Object({
  configured: Type.Boolean({ description: 'Whether the installation names a catalog (`PLUGIN_CATALOG`)' }),
  sequence: nullableInteger('Of the index that the items are from; it grows with each version'),
  checked_at: nullableText('When this index was last read, or known to be unchanged'),
  problem: Type.Unsafe<Static<typeof Problem> | null>({
    ...Type.Union([Problem, Type.Null()]),
    description:
      'Why the newest index cannot be used. The items are then those of the last good one, if there was one since the start',
  }),
  items: Type.Array(CatalogItem),
});
export type CatalogReply = Static<typeof Catalog>;

export const getCatalog = contract('GET /api/catalog', {
  ...reads,
  name: 'getCatalog',
  summary: 'Plugins that can be installed',
  description:
    'From the signed catalog that the installation names. It is read again after five minutes. Without one there are no items.',
  query: Type.Object({
    kind: Type.Optional({ ...oneOf(CATALOG_KINDS), description: 'There are plugins alone so far' }),
    source: Type.Optional(oneOf(CATALOG_SOURCES)),
    q: Type.Optional(
      Type.String({ maxLength: 200, description: 'Words that id, name, author or description have' }),
    ),
  }),
  reply: Catalog,
  example: {
    query: { source: 'community' },
    reply: {
      configured: true,
      sequence: 12,
      checked_at: '2026-03-02T10:15:00.000Z',
      problem: null,
      items: [
        {
          id: 'word-count',
          kind: 'plugins',
          source: 'community',
          name: 'Word count',
          version: '1.1.0',
          description: 'Counts words, and shows how far a goal is.',
          author: 'Mira Voss',
          license: 'MIT',
          homepage: null,
          icon: null,
          trust_tier: 'community',
          permissions: [{ permission: 'entities:read', needs_consent: false }],
          size: 20_480,
          sha256: 'a9993e364706816aba3e25717850c26c9cd0d89d0f2e6d1e8b6f1a2b3c4d5e6f',
          min_canonry: null,
          is_compatible: true,
          is_allowed: true,
          installed: { version: '1.0.0', state: 'enabled' },
          has_update: true,
        },
      ],
    },
  },
});

export const installFromCatalog = contract('POST /api/catalog/{id}/install', {
  ...reads,
  role: PERMISSIONS.manage_settings,
  name: 'installFromCatalog',
  summary: 'Install a plugin from the catalog, or update it',
  description:
    'The archive is fetched and must have the size and the SHA-256 that the catalog says. Then it is installed as an upload is, unless its id, version or trust tier are others, or it wants more than the catalog says.',
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  status: 201,
  reply: Plugin,
  errors: [400, 404, 409, 413, 502, 503],
  example: { params: { id: 'word-count' }, reply: examplePlugin },
});
