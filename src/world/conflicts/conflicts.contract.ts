import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed, NullableInteger, NullableText, named, nullableText, Text } from '../../kit/schemas.ts';
import { Entity, exampleEntity } from '../entities/entities.contract.ts';

const sideProperties = {
  version: NullableInteger,
  checksum: Text,
  name: Text,
  status: Text,
  fields: Type.Record(Text, Type.Unknown()),
  markdown_body: Text,
  updated_at: NullableText,
  updated_by: NullableText,
};
const Side = Type.Object(sideProperties);
const Base = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  description: 'What both sides were made from; null where that is not known',
});

export const conflictProperties = {
  conflict_id: Text,
  entity_type: Text,
  entity_id: Text,
  base: Base,
  local: Side,
  remote: Side,
  conflicting_fields: Type.Array(Text),
  copy_path: nullableText('The file in which a file-sync tool left the remote side'),
  pushed: Type.Boolean({
    description:
      'Whether an install pushed it: then `local` is the side of the install, `remote` that of the cloud',
  }),
  detected_at: Text,
  status: Type.Enum(['unresolved', 'resolved']),
  resolution: NullableText,
  resolved_at: NullableText,
  resolved_by: NullableText,
};
export const Conflict = named('Conflict', conflictProperties);

const side = (version: number | null, age: number) => ({
  version,
  checksum: 'sha256:9f2c…',
  name: 'Mira Vale',
  status: 'active',
  fields: { age },
  markdown_body: '# Mira Vale\n',
  updated_at: '2026-03-02T10:15:00.000Z',
  updated_by: null,
});

export const exampleConflict = {
  conflict_id: '5f0c2f0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  entity_type: 'character',
  entity_id: 'mira_vale',
  base: side(3, 30),
  local: side(4, 31),
  remote: side(null, 32),
  conflicting_fields: ['age'],
  copy_path: null,
  pushed: false,
  detected_at: '2026-03-02T10:16:00.000Z',
  status: 'unresolved' as const,
  resolution: null,
  resolved_at: null,
  resolved_by: null,
};

export const listConflicts = contract('GET /api/conflicts', {
  name: 'listConflicts',
  auth: 'bearer',
  project: true,
  tag: 'Conflicts',
  summary: 'List conflicts, newest first',
  description:
    '`local` is what the project had when the conflict was found, `remote` what came in; where an install pushed it (`pushed`), `local` is what the install had and `remote` what the cloud had. A page of long texts ends before `limit`: go on at `offset` plus what came.',
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum(['unresolved', 'resolved', 'all'], { default: 'unresolved' })),
  }),
  reply: pageReply({ conflicts: Type.Array(Conflict) }),
  example: { reply: { total: 1, offset: 0, limit: 50, conflicts: [exampleConflict] } },
});

export const resolveConflict = contract('POST /api/conflicts/{conflict_id}/resolve', {
  name: 'resolveConflict',
  auth: 'bearer',
  role: PERMISSIONS.edit_entities,
  project: true,
  tag: 'Conflicts',
  summary: 'Resolve a conflict',
  description:
    '`local` keeps the entity as it is now, `remote` (or `cloud`) takes the side that came in; where an install pushed the conflict, `local` takes the side of the install and `remote` keeps the entity as it is. `merged` takes both where they do not overlap, and `fields` and `markdown_body` for what does. What wins is the newest version, what loses is a version before it.',
  params: Type.Object({ conflict_id: Text }),
  body: closed(
    {
      resolution: Type.Enum(['local', 'remote', 'cloud', 'merged']),
      fields: Type.Optional(
        Type.Record(Text, Type.Unknown(), {
          description: 'With `merged`: whole values by their top key, `name` and `status` too; null clears',
        }),
      ),
      markdown_body: Type.Optional(Type.String({ maxLength: 8_000_000 })),
    },
    { $id: 'ResolveConflict' },
  ),
  bodyLimit: 10 * 1024 * 1024,
  reply: Type.Object({ conflict: Conflict, entity: Entity }),
  errors: [404, 409, 413],
  example: {
    params: { conflict_id: exampleConflict.conflict_id },
    body: { resolution: 'merged', fields: { age: 32 } },
    reply: {
      conflict: {
        ...exampleConflict,
        status: 'resolved',
        resolution: 'merged',
        resolved_at: '2026-03-02T11:00:00.000Z',
      },
      entity: exampleEntity,
    },
  },
});
