import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { Count, NullableText, named, Text } from '../../kit/schemas.ts';

const ManifestEntry = named('ManifestEntry', {
  relative_path: Text,
  entity_type: NullableText,
  entity_id: NullableText,
  entry_type: Type.Enum(['markdown', 'asset', 'template', 'rule', 'other']),
  size_bytes: Count,
  checksum_sha256: Type.String({ description: 'Hex' }),
  mime_type: NullableText,
  remote_modified: Text,
  preview_available: Type.Boolean(),
});

const Manifest = named('Manifest', {
  project_id: Text,
  provider_type: Text,
  manifest_version: Type.Integer({ description: 'Grows whenever a file comes, goes or changes' }),
  generated_at: Text,
  total_entries: Count,
  total_size_bytes: Count,
  entries: Type.Array(ManifestEntry),
});

const Diff = Type.Object({ added: Type.Array(Text), removed: Type.Array(Text), modified: Type.Array(Text) });

const exampleEntry = {
  relative_path: 'Characters/mira_vale/CH_mira_vale.md',
  entity_type: 'character',
  entity_id: 'mira_vale',
  entry_type: 'markdown',
  size_bytes: 1204,
  checksum_sha256: '51ab0c7e1f0d6c7f3f6a6a3b1f3b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
  mime_type: 'text/markdown',
  remote_modified: '2026-03-02T10:15:00.000Z',
  preview_available: false,
};
const exampleManifest = {
  project_id: 'default',
  provider_type: 'local',
  manifest_version: 41,
  generated_at: '2026-03-02T10:16:00.000Z',
  total_entries: 1,
  total_size_bytes: 1204,
  entries: [exampleEntry],
};
const exampleDiff = { added: ['Characters/mira_vale/images/portrait.png'], removed: [], modified: [] };
const shared = { auth: 'bearer', project: true, tag: 'Manifest' } as const;

export const getManifest = contract('GET /api/manifest', {
  name: 'getManifest',
  memory: MEMORY.ofProject,
  ...shared,
  summary: 'All files of the project with their checksums',
  description: 'Dot files and the recycle bin are not in it.',
  reply: Manifest,
  example: { reply: exampleManifest },
});

export const refreshManifest = contract('POST /api/manifest/refresh', {
  name: 'refreshManifest',
  memory: MEMORY.ofProject,
  ...shared,
  role: PERMISSIONS.edit_entities,
  summary: 'Compare the folder, then return the manifest and what changed since the last refresh',
  description: 'The first refresh of a running service reports what itself found changed.',
  reply: Type.Object({ manifest: Manifest, diff: Diff, refreshed_at: Text }),
  errors: [503],
  example: {
    reply: { manifest: exampleManifest, diff: exampleDiff, refreshed_at: '2026-03-02T10:16:00.000Z' },
  },
});

export const diffManifest = contract('GET /api/manifest/diff', {
  name: 'diffManifest',
  memory: MEMORY.ofProject,
  ...shared,
  summary: 'What changed since a time',
  description:
    'The journal reaches back 30 days, and no further than the project: an older time is answered with the whole manifest (`type` is `full`).',
  query: Type.Object({
    since: Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601' }),
  }),
  reply: Type.Union([
    Type.Object({ type: Type.Literal('diff'), diff: Diff }),
    Type.Object({ type: Type.Literal('full'), manifest: Manifest }),
  ]),
  example: { query: { since: '2026-03-01T00:00:00Z' }, reply: { type: 'diff', diff: exampleDiff } },
});

export const getManifestEntry = contract('GET /api/manifest/entry/{path}', {
  name: 'getManifestEntry',
  ...shared,
  summary: 'One file of the manifest',
  params: Type.Object({ path: Type.String({ minLength: 1, maxLength: 1_000 }) }),
  reply: ManifestEntry,
  errors: [404],
  example: { params: { path: exampleEntry.relative_path }, reply: exampleEntry },
});
