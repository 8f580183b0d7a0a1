import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { SyncResult, SyncStatus } from '../sync/sync.contract.ts';

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
const forces = (where: string) =>
  `Lets deletions ${where} pass that would otherwise be held back as too many at once`;

export const pushLocalChanges = contract('POST /api/cloud-sync/push', {
  ...shared,
  ...byEditors,
  name: 'pushLocalChanges',
  summary: 'Send all that changed here to the cloud',
  description:
    'Compares every file with its last synced state. The cloud’s answers are applied as in any other round. 409 while this installation is not connected to a cloud (settings CLOUD_URL and CLOUD_TOKEN).',
  body: optionalBody({
    force: Type.Optional(
      Type.Boolean({ description: `${forces('in the cloud')}, and sends what is left of the sample world` }),
    ),
  }),
  reply: SyncResult,
  example: { body: { force: false }, reply: exampleResult },
});

export const pullCloudChanges = contract('GET /api/cloud-sync/pull', {
  ...shared,
  ...byEditors,
  name: 'pullCloudChanges',
  summary: 'Take over what changed in the cloud',
  description:
    'With `force` everything is asked for anew. What changed here since the last sync is not overwritten: it goes to the cloud with the next push. 409 while this installation is not connected to a cloud (settings CLOUD_URL and CLOUD_TOKEN).',
  query: Type.Object({ force: Type.Optional(Type.Enum(['true', 'false'], { description: forces('here') })) }),
  reply: SyncResult,
  example: { reply: exampleResult },
});

export const getCloudSyncStatus = contract('GET /api/cloud-sync/status', {
  ...shared,
  name: 'getCloudSyncStatus',
  summary: 'What is synced, what waits, and what went wrong',
  description:
    '409 while this installation is not connected to a cloud (settings CLOUD_URL and CLOUD_TOKEN).',
  reply: SyncStatus,
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
