import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { NullableText, named, Text } from '../../kit/schemas.ts';
import { conflictProperties, exampleConflict } from '../../world/conflicts/conflicts.contract.ts';

const MOST_ENTITIES = 2_000;
const MOST_FILES = 2_000;
const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the bytes, in hexadecimal',
});

const PushedEntity = Type.Object({
  entity_type: Type.String({ maxLength: 200 }),
  entity_id: Type.String({ maxLength: 200 }),
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The version that it was made from, plus one',
  }),
  base_checksum: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The `file_checksum` of the version that it was made from: where it is sent, it is what counts',
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Where its file lies: a new one is put there, another one moved where `base_path` says so',
    }),
  ),
  base_path: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description:
        'Where its file lay in the version that this was made from. Where it lies there still it is moved to `path`, with its folder; a deletion is taken only then',
    }),
  ),
  checksum: Type.Optional(
    Type.String({ maxLength: 200, description: 'With `content` it is checked, alone it is only compared' }),
  ),
  content: Type.Optional(Type.String({ maxLength: 12_000_000, description: 'The file’s whole text' })),
  name: Type.Optional(Type.String({ maxLength: 500 })),
  status: Type.Optional(Type.String({ maxLength: 100 })),
  fields: Type.Optional(
    Type.Record(Text, Type.Unknown(), {
      description: 'In place of `content`: what is named is set, null clears, the rest stays',
    }),
  ),
  markdown_body: Type.Optional(Type.String({ maxLength: 12_000_000 })),
  deleted: Type.Optional(Type.Boolean()),
  keep_folder: Type.Optional(
    Type.Boolean({
      description:
        'Its own file alone is deleted or moved, such as where the folder is another entity’s by now',
    }),
  ),
});
export type PushedEntity = Static<typeof PushedEntity>;

const PushedFile = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
  base_sha256: Type.Unsafe<string | null>({
    ...Sha256,
    ...NullableText,
    description: 'What the sender last saw there; null for a file that was not there',
  }),
  sha256: Type.Optional(Sha256),
  content: Type.Optional(Type.String({ maxLength: 12_000_000 })),
  encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { default: 'utf8' })),
  batch_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The upload batch that the bytes were sent to' }),
  ),
  deleted: Type.Optional(Type.Boolean()),
});
export type PushedFile = Static<typeof PushedFile>;

const RejectedEntity = Type.Object({ entity_type: Text, entity_id: Text, code: Text, detail: Text });
const RejectedFile = Type.Object({
  path: Text,
  code: Text,
  detail: Text,
  sha256: { ...NullableText, description: 'What lies there; null for nothing' },
});

const PushedConflict = Type.Object({
  ...conflictProperties,
  merged: Type.Object({
    fields: Type.Record(Text, Type.Unknown()),
    markdown_body: Text,
    clean: Type.Boolean({ description: 'Whether nothing overlaps: `auto_merge` would have written it' }),
  }),
});

const PushReply = named('SyncPush', {
  accepted: Type.Array(Text, { description: '`type/id` of what the project holds now' }),
  rejected: Type.Array(RejectedEntity),
  conflicts: Type.Array(PushedConflict),
  versions: Type.Record(Text, Type.Object({ version: Type.Integer(), file_checksum: Text, path: Text }), {
    description: 'What was accepted, as it is now, by `type/id`; deletions are not in it',
  }),
  files: Type.Optional(Type.Object({ accepted: Type.Array(Text), rejected: Type.Array(RejectedFile) })),
  cursor: {
    ...NullableText,
    description: 'Given where nobody else changed anything since the one that was sent: go on from here',
  },
  server_timestamp: Text,
});
export type PushReply = Static<typeof PushReply>;

const exampleEntity = {
  entity_type: 'character',
  entity_id: 'mira_vale',
  version: 5,
  fields: { age: 32 },
  markdown_body: '# Mira Vale\n',
  checksum: 'sha256:9f2c…',
};

export const pushToCloud = contract('POST /api/desktop/sync/push', {
  name: 'pushToCloud',
  auth: 'bearer',
  role: PERMISSIONS.edit_entities,
  feature: 'cloud_sync',
  project: true,
  tag: 'Sync',
  summary: 'Push what an install changed',
  description:
    'Each entity is taken or refused by itself. One whose version follows on the present one is written; from an older one it is merged with what came between: a clean merge is written with `auto_merge`, anything else is a conflict and changes nothing. The same push may be sent again: with the same `Idempotency-Key` it gets the same reply. A push that would delete more than 50 entities, or more than 30 %, with those pushed within a minute before, is 409 with the code `brake` and does nothing, until it says `force`.',
  body: Type.Object({
    entities: Type.Array(PushedEntity, { maxItems: MOST_ENTITIES }),
    client_timestamp: Type.String({ maxLength: 40, description: 'ISO 8601' }),
    device_id: Type.Optional(Type.String({ maxLength: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 60, description: 'Of the last pull or push' })),
    auto_merge: Type.Optional(Type.Boolean({ default: false })),
    force: Type.Optional(Type.Boolean({ default: false })),
    files: Type.Optional(Type.Array(PushedFile, { maxItems: MOST_FILES })),
  }),
  bodyLimit: 25 * 1024 * 1024,
  reply: PushReply,
  errors: [409, 413, 503],
  example: {
    body: { entities: [exampleEntity], client_timestamp: '2026-03-02T10:16:00.000Z' },
    reply: {
      accepted: [],
      rejected: [],
      conflicts: [
        {
          ...exampleConflict,
          pushed: true,
          merged: { fields: { age: 31 }, markdown_body: '# Mira Vale\n', clean: false },
        },
      ],
      versions: {},
      cursor: null,
      server_timestamp: '2026-03-02T10:16:01.000Z',
    },
  },
});
