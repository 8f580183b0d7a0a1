import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { Count, closed, NullableText, named, Text } from '../../kit/schemas.ts';
import { getCloudSyncStatus, pushLocalChanges } from '../cloud/cloud.contract.ts';
import { local } from './desktop-projects.contract.ts';

const NO_CLOUD = '409 while nobody is signed in to a cloud.';

const onProject = { ...local, project: true, errors: [404, 503] } as const;
const status = {
  ...onProject,
  reply: getCloudSyncStatus.reply,
  example: { reply: getCloudSyncStatus.example.reply },
} as const;
const round = {
  ...onProject,
  errors: [404, 409, 503],
  reply: pushLocalChanges.reply,
  example: { reply: pushLocalChanges.example.reply },
} as const;

export const getDesktopSync = contract('GET /api/desktop/sync/status', {
  ...status,
  name: 'getDesktopSync',
  summary: 'What of a project is synced with the cloud, what waits, and what went wrong',
});

export const getSyncQueue = contract('GET /api/desktop/sync/queue', {
  ...onProject,
  name: 'getSyncQueue',
  summary: 'What waits to be sent to the cloud',
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })) }),
  reply: Type.Object({
    total: Count,
    changes: Type.Array(
      Type.Object({
        key: Text,
        kind: Type.Enum(['entity', 'file']),
        change: Type.Enum(['create', 'update', 'delete']),
        path: NullableText,
        problem: { ...NullableText, description: 'Why it was refused the last time' },
      }),
      { description: 'The first 100 unless `limit` says more' },
    ),
  }),
  example: {
    reply: {
      total: 1,
      changes: [
        {
          key: 'character/mira_vale',
          kind: 'entity',
          change: 'update',
          path: 'Characters/mira_vale/CH_mira_vale.md',
          problem: null,
        },
      ],
    },
  },
});

export const startDesktopSync = contract('POST /api/desktop/sync/start', {
  ...status,
  name: 'startDesktopSync',
  summary: 'Sync automatically from now on, even after a restart',
  description: NO_CLOUD,
  errors: [404, 409, 503],
});

export const stopDesktopSync = contract('POST /api/desktop/sync/stop', {
  ...status,
  name: 'stopDesktopSync',
  summary: 'Sync only on request',
});

export const syncNow = contract('POST /api/desktop/sync/now', {
  ...round,
  name: 'syncNow',
  summary: 'Sync once, in both directions',
  description: `Joins the round that is under way. ${NO_CLOUD}`,
});

export const forcePush = contract('POST /api/desktop/sync/force-push', {
  ...round,
  name: 'forcePush',
  summary: 'Compare every file with what was synced last, and send what differs',
  description: `Deletions in the cloud that are held back as too many at once pass; those here wait for force-pull. What is left of the sample world, which else stays here, is sent, too. Nothing of others is overwritten unseen: it is merged, or a conflict. ${NO_CLOUD}`,
});

export const forcePull = contract('POST /api/desktop/sync/force-pull', {
  ...round,
  name: 'forcePull',
  summary: 'Take over everything that the cloud has',
  description: `Deletions that are held back as too many at once pass. Own changes since the last sync are not overwritten: they go to the cloud. ${NO_CLOUD}`,
});

const Conflict = named('CloudConflict', {
  conflict_id: Text,
  entity_type: Text,
  entity_id: Text,
  conflicting_fields: Type.Array(Text),
  status: Type.Enum(['unresolved', 'resolved']),
  is_told: Type.Boolean({ description: 'Whether the cloud knows of the resolution' }),
  record: Type.Record(Text, Type.Unknown(), {
    description: 'As the cloud told it; `local` is what this install had sent, `remote` what the cloud had',
  }),
});
const conflictExample = {
  conflict_id: '0f8c3c1e-9b1f-4f5e-8a57-2c9c0d7e4a11',
  entity_type: 'character',
  entity_id: 'mira_vale',
  conflicting_fields: ['occupation'],
  status: 'unresolved',
  is_told: false,
  record: {},
};

export const listSyncConflicts = contract('GET /api/desktop/sync/conflicts', {
  ...onProject,
  name: 'listSyncConflicts',
  summary: "Changes of this install that overlap with others'",
  reply: Type.Object({ conflicts: Type.Array(Conflict), total: Count }),
  example: { reply: { conflicts: [conflictExample], total: 1 } },
});

export const resolveSyncConflict = contract('POST /api/desktop/sync/conflicts/{id}/resolve', {
  ...onProject,
  name: 'resolveSyncConflict',
  summary: 'Decide a conflict',
  description: 'Works without a network: the cloud is told with the next round.',
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  body: closed({
    resolution: Type.Enum(['local', 'remote', 'cloud', 'merged'], { description: '`cloud` is `remote`' }),
    fields: Type.Optional(Type.Record(Text, Type.Unknown())),
    markdown_body: Type.Optional(Type.String({ maxLength: 8_000_000 })),
  }),
  bodyLimit: 10 * 1024 * 1024,
  reply: Conflict,
  errors: [404, 409, 503],
  example: {
    params: { id: conflictExample.conflict_id },
    body: { resolution: 'local' },
    reply: { ...conflictExample, status: 'resolved' },
  },
});
