import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { NullableText } from '../../kit/nullable.ts';

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

const SyncError = Type.Object({ code: Text, message: Text, at: Text });

const HeldDeletions = Type.Object({
  where: Type.Enum(['here', 'in_the_cloud']),
  deletions: Count,
  of: Count,
  examples: Type.Array(Text),
});

const SyncResult = Type.Object(
  {
    started_at: Text,
    finished_at: Text,
    requests: Type.Integer({ minimum: 0, description: 'Requests to the cloud' }),
    pushed: Count,
    pulled: Count,
    deleted_here: Count,
    deleted_in_cloud: Count,
    merged: Type.Integer({ minimum: 0, description: 'Own changes that the cloud joined with others’' }),
    conflicts: Type.Integer({
      minimum: 0,
      description:
        'Own changes that overlap with others’: the cloud’s text is here, the own one is a revision',
    }),
    kept_copies: Type.Array(Text, {
      description: 'Files in which own bytes are kept beside those of the cloud',
    }),
    left: Type.Array(Type.Object({ key: Text, reason: Text }), {
      description: 'What could not be taken over and stays as it is, with the reason',
    }),
    held: Type.Union([HeldDeletions, Type.Null()], {
      description: 'Deletions that are too many at once; `force` goes on',
    }),
    held_sample: Type.Union(
      [Type.Object({ entities: Type.Record(Text, Count), files: Count }), Type.Null()],
      {
        description:
          'What of the sample world stays here, by type, until it is edited: nothing of it goes to a cloud unasked; `force` sends it',
      },
    ),
    error: Type.Union([SyncError, Type.Null()]),
  },
  { $id: 'CloudSyncResult' },
);

const exampleResult = {
  started_at: '2026-03-02T10:15:00.000Z',
  finished_at: '2026-03-02T10:15:00.900Z',
  requests: 2,
  pushed: 3,
  pulled: 1,
  deleted_here: 0,
  deleted_in_cloud: 0,
  merged: 1,
  conflicts: 0,
  kept_copies: [],
  left: [],
  held: null,
  held_sample: null,
  error: null,
};

const shared = { auth: 'bearer', project: true, tag: 'Cloud sync', errors: [409, 503] } as const;
const byEditors = { role: PERMISSIONS.edit_entities, feature: 'cloud_sync' } as const;
const forces = (where: string) => `Lets deletions ${where} pass that would be held back as too many at once`;

export const pushLocalChanges = contract({
  ...shared,
  ...byEditors,
  name: 'pushLocalChanges',
  method: 'POST',
  path: '/api/cloud-sync/push',
  summary: 'Send all that changed here to the cloud',
  description:
    'Every file is compared with what was synced last. What the cloud answers is taken over as in any other round. 409 while this installation works with no cloud (settings CLOUD_URL and CLOUD_TOKEN).',
  body: optionalBody({
    force: Type.Optional(
      Type.Boolean({ description: `${forces('in the cloud')}, and sends what is left of the sample world` }),
    ),
  }),
  reply: SyncResult,
  example: { body: { force: false }, reply: exampleResult },
});

export const pullCloudChanges = contract({
  ...shared,
  ...byEditors,
  name: 'pullCloudChanges',
  method: 'GET',
  path: '/api/cloud-sync/pull',
  summary: 'Take over what changed in the cloud',
  description:
    'With `force` everything is asked for anew. What changed here since the last sync is not overwritten: it goes to the cloud with the next push. 409 while this installation works with no cloud (settings CLOUD_URL and CLOUD_TOKEN).',
  query: Type.Object({ force: Type.Optional(Type.Enum(['true', 'false'], { description: forces('here') })) }),
  reply: SyncResult,
  example: { reply: exampleResult },
});

export const getCloudSyncStatus = contract({
  ...shared,
  name: 'getCloudSyncStatus',
  method: 'GET',
  path: '/api/cloud-sync/status',
  summary: 'What is synced, what waits, and what went wrong',
  description: '409 while this installation works with no cloud (settings CLOUD_URL and CLOUD_TOKEN).',
  reply: Type.Object({
    state: Type.Enum(['unlinked', 'stopped', 'waiting', 'syncing']),
    cloud_url: NullableText,
    periodic: Type.Boolean({ description: 'Whether rounds come by themselves' }),
    started_at: NullableText,
    phase: Type.Union([Type.Enum(['pulling', 'pushing', 'writing']), Type.Null()]),
    pending: Type.Object({ to_push: Count, to_write: Count, conflicts: Count }),
    last: Type.Union([SyncResult, Type.Null()]),
    last_synced_at: NullableText,
    next_at: NullableText,
  }),
  example: {
    reply: {
      state: 'waiting',
      cloud_url: 'https://canonry.example.com',
      periodic: true,
      started_at: null,
      phase: null,
      pending: { to_push: 0, to_write: 0, conflicts: 0 },
      last: exampleResult,
      last_synced_at: '2026-03-02T10:15:00.900Z',
      next_at: '2026-03-02T10:15:30.900Z',
    },
  },
});
