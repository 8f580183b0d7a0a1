import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { NullableText, named, nullableText, Text } from '../../kit/schemas.ts';
import { Entity, EntityParams, exampleEntity } from './entities.contract.ts';

const Version = { minimum: 1, maximum: 2_147_483_647 };
const RevisionParams = Type.Object({ type: Text, id: Text, version: Type.Integer(Version) });

const revisionProperties = {
  version: Type.Integer(),
  name: Text,
  status: Text,
  checksum: Text,
  file_checksum: Text,
  source: Type.Enum(['api', 'file', 'sync', 'import', 'ai'], { description: 'How the change came about' }),
  changed: Type.Array(Text, { description: 'Fields and attributes that the change touched' }),
  created_at: Text,
  created_by: NullableText,
  operation_id: nullableText('The operation that the change was part of, such as an import or a rename'),
  via: Type.Array(Text, { description: 'Plugins that made or changed it, by their ids' }),
  current: Type.Boolean(),
};

const Sitting = named('Sitting', {
  first_version: Type.Integer(),
  last_version: Type.Integer(),
  count: Type.Integer({ description: 'Versions that are still kept' }),
  offset: Type.Integer({ description: 'How many versions are newer than all of these' }),
  started_at: Type.String({ description: 'When its first version was made' }),
  ended_at: Text,
  changed: Type.Array(Text, { description: 'What any of its versions touched' }),
  via: Type.Array(Text, { description: 'Plugins that made or changed any of its versions, by their ids' }),
});

const ListedRevision = named('Revision', { ...revisionProperties, sitting: Type.Optional(Sitting) });

const example = {
  version: 2,
  name: 'Mira Vale',
  status: 'draft',
  checksum: 'sha256:9f2c…',
  file_checksum: 'sha256:51ab…',
  source: 'api',
  changed: ['occupation'],
  created_at: '2026-03-02T10:15:00.000Z',
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  operation_id: null,
  via: [],
  current: false,
};
const exampleSitting = {
  first_version: 1,
  last_version: 2,
  count: 2,
  offset: 0,
  started_at: '2026-03-02T10:02:00.000Z',
  ended_at: '2026-03-02T10:15:00.000Z',
  changed: ['occupation', 'markdown_body'],
  via: [],
};
const params = { type: 'character', id: 'mira_vale', version: 2 };

const shared = { auth: 'bearer', project: true, tag: 'Revisions' } as const;

export const listRevisions = contract('GET /api/entity/{type}/{id}/revisions', {
  ...shared,
  name: 'listRevisions',
  summary: 'List an entity’s versions, newest first',
  description:
    'With `grouped` versions in a row that one person made by one way, at most 15 minutes apart, are one entry: the newest of them, with `sitting` about them all. `total`, `offset` and `limit` then count sittings, and no page cuts one in two. `offset={sitting.offset}&limit={sitting.count}` without `grouped` lists the versions of one.',
  params: EntityParams,
  query: Type.Object({
    ...pageQuery,
    grouped: Type.Optional(Type.Boolean({ default: false, description: 'Sittings instead of versions' })),
  }),
  reply: pageReply({ revisions: Type.Array(ListedRevision) }),
  errors: [404],
  example: {
    params: { type: 'character', id: 'mira_vale' },
    query: { grouped: true },
    reply: { total: 1, offset: 0, limit: 50, revisions: [{ ...example, sitting: exampleSitting }] },
  },
});

export const getRevision = contract('GET /api/entity/{type}/{id}/revisions/{version}', {
  ...shared,
  name: 'getRevision',
  summary: 'Read one version',
  description: '`content` is the file’s full text as it was.',
  params: RevisionParams,
  reply: Type.Object({
    ...revisionProperties,
    fields: Type.Record(Type.String(), Type.Unknown()),
    markdown_body: Text,
    content: Text,
  }),
  errors: [404],
  example: {
    params,
    reply: {
      ...example,
      fields: { occupation: 'Tide reader' },
      markdown_body: '# Mira Vale\n',
      content: '---\nid: mira_vale\noccupation: Tide reader\n---\n\n# Mira Vale\n',
    },
  },
});

const RevisionEnd = Type.Object({
  version: Type.Integer(),
  source: Text,
  created_at: Text,
  created_by: NullableText,
  created_by_name: NullableText,
});
const exampleEnd = {
  version: 3,
  source: 'api',
  created_at: '2026-03-02T10:15:00.000Z',
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  created_by_name: 'Ada',
};

export const diffRevision = contract('GET /api/entity/{type}/{id}/revisions/{version}/diff', {
  ...shared,
  name: 'diffRevision',
  memory: MEMORY.ofTexts,
  summary: 'Compare two versions',
  params: RevisionParams,
  query: Type.Object({
    against: Type.Optional(
      Type.Integer({ ...Version, description: 'The other version; default the current one' }),
    ),
  }),
  reply: Type.Object({
    from: Type.Integer(),
    to: Type.Integer(),
    identical: Type.Boolean(),
    attributes: Type.Array(Type.Unknown()),
    fields: Type.Array(Type.Unknown()),
    body: Type.Array(Type.Unknown()),
    summary: Type.String({ description: 'What differs, in words' }),
    text: Type.String({ description: 'A unified diff of the whole files' }),
    from_revision: RevisionEnd,
    to_revision: RevisionEnd,
  }),
  errors: [404],
  example: {
    params,
    query: { against: 3 },
    reply: {
      from: 2,
      to: 3,
      identical: false,
      attributes: [],
      fields: [{ field: 'occupation', kind: 'changed', before: 'Tide reader', after: 'Harbour master' }],
      body: [{ kind: 'same', line_before: 1, line_after: 1, lines: ['# Mira Vale', ''] }],
      summary: '1 field changed: occupation',
      text: '--- version 2\n+++ version 3\n@@ -2,1 +2,1 @@\n-occupation: Tide reader\n+occupation: Harbour master\n',
      from_revision: { ...exampleEnd, version: 2 },
      to_revision: exampleEnd,
    },
  },
});

export const restoreRevision = contract('POST /api/entity/{type}/{id}/revisions/{version}/restore', {
  ...shared,
  name: 'restoreRevision',
  role: PERMISSIONS.edit_entities,
  summary: 'Make an old version the current one',
  description: 'The file gets its old text byte for byte, as a new version; nothing in between is lost.',
  params: RevisionParams,
  reply: Entity,
  errors: [404, 409, 412],
  example: { params, reply: exampleEntity },
});
