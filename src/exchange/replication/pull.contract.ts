import { type Static, Type } from 'typebox';
import { contract, MEMORY } from '../../kit/contract.ts';
import { NullableText, named, Text } from '../../kit/schemas.ts';
import { Conflict } from '../../world/conflicts/conflicts.contract.ts';

const Deleted = Type.Literal(true);

const LiveEntity = Type.Object({
  entity_type: Text,
  entity_id: Text,
  version: Type.Integer(),
  path: Text,
  file_checksum: Text,
  content: Type.String({ description: 'The file’s whole text' }),
  name: Text,
  status: Text,
  fields: Type.Record(Text, Type.Unknown()),
  markdown_body: Text,
  updated_by: NullableText,
  updated_at: Text,
});
const DeletedEntity = Type.Object({
  entity_type: Text,
  entity_id: Text,
  deleted: Deleted,
  path: Text,
  updated_at: Text,
});

const LiveFile = Type.Object({
  path: Text,
  entry_type: Type.Enum(['markdown', 'asset', 'template', 'rule', 'other']),
  sha256: Text,
  size_bytes: Type.Integer(),
  content: Type.Optional(
    Type.String({ description: 'Not of assets: their bytes are at `/api/files/{path}`' }),
  ),
  encoding: Type.Optional(Type.Enum(['utf8', 'base64'])),
});
const DeletedFile = Type.Object({ path: Text, deleted: Deleted });

const PullReply = named('SyncPull', {
  entities: Type.Array(Type.Union([LiveEntity, DeletedEntity])),
  files: Type.Optional(Type.Array(Type.Union([LiveFile, DeletedFile]))),
  conflicts: Type.Array(Conflict, { description: 'Those that came or were resolved' }),
  listing: Type.Boolean({ description: 'Everything is being listed, from the first page to the last' }),
  complete: Type.Boolean({
    description: 'Everything was listed, and this is the last page: what none of them lists is gone',
  }),
  restored: Type.Optional(
    Type.Literal(true, {
      description:
        'The cursor is of a state that this database never had, as after a backup of it was brought back. Everything is listed; what is not listed, or is older, may be lost here rather than deleted or changed',
    }),
  ),
  has_more: Type.Boolean({ description: 'Go on from `cursor` at once' }),
  cursor: Type.String({ description: 'Send it next time' }),
  server_timestamp: Type.String({
    description: 'Send it as `since` next time, unless you send the cursor',
  }),
});
export type PullReply = Static<typeof PullReply>;

export const pullFromCloud = contract('GET /api/desktop/sync/pull', {
  name: 'pullFromCloud',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  feature: 'cloud_sync',
  project: true,
  tag: 'Sync',
  summary: 'Pull what changed since a cursor or a time',
  description:
    'In the order of the changes; what changed several times is listed once, as it is now. Without a cursor or time, and where that is older than 30 days or of another database, everything is listed, and the last page says `complete`. `server_timestamp` stands for what was seen, whatever clocks say: as the next `since` it brings the next page, or all that committed later. With a time of the caller’s own, what changed shortly before comes again. A page of long texts ends before `limit`.',
  query: Type.Object({
    since: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601' })),
    cursor: Type.Optional(
      Type.String({ maxLength: 60, description: 'Of an earlier reply; goes before `since`' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 500 })),
    files: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether files that are no entities are listed too' }),
    ),
  }),
  reply: PullReply,
  errors: [404],
  example: {
    query: { since: '2026-03-02T10:00:00Z' },
    reply: {
      entities: [
        {
          entity_type: 'character',
          entity_id: 'mira_vale',
          version: 5,
          path: 'Characters/mira_vale/CH_mira_vale.md',
          file_checksum: 'sha256:51ab…',
          content: '---\nid: mira_vale\nname: Mira Vale\nage: 32\n---\n\n# Mira Vale\n',
          name: 'Mira Vale',
          status: 'active',
          fields: { age: 32 },
          markdown_body: '# Mira Vale\n',
          updated_by: null,
          updated_at: '2026-03-02T10:15:00.000Z',
        },
        {
          entity_type: 'location',
          entity_id: 'old_mill',
          deleted: true,
          path: 'Locations/old_mill/LOC_old_mill.md',
          updated_at: '2026-03-02T10:15:30.000Z',
        },
      ],
      conflicts: [],
      listing: false,
      complete: false,
      has_more: false,
      cursor: 'mhv2c0g0-48-1772446560000',
      server_timestamp: '2026-03-02T10:16:00.000Z',
    },
  },
});
