import { type Static, Type } from 'typebox';
import { contract, optionalBody } from '../../kit/contract.ts';
import { Count, closed, NullableInteger, NullableText, named, oneOf, Text } from '../../kit/schemas.ts';

const DAY_S = 86_400;
const Seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: DAY_S, description }));
const AssetId = Type.String({ minLength: 1, maxLength: 100 });
const AssetParams = Type.Object({ id: AssetId });

const QueueStatus = named('AssetQueueStatus', {
  status: oneOf(['idle', 'working', 'slowed', 'paused']),
  paused_until: {
    ...NullableText,
    description: 'When a pause ends by itself; null where there is none, or one without an end',
  },
  paused_indefinitely: Type.Boolean(),
  slowed_until: NullableText,
  max_concurrent: { ...NullableInteger, description: 'While slowed: so many jobs at once' },
  waiting: Count,
  running: Count,
  completed: Count,
  failed: Count,
});
export type QueueStatus = Static<typeof QueueStatus>;

const QueueEntry = named('AssetQueueEntry', {
  asset_id: Text,
  jobs: Type.Array(
    Type.Object({
      processing_type: {
        ...Text,
        description: '`metadata`: what the bytes say, such as size, length and looks',
      },
      status: oneOf(['waiting', 'running', 'completed', 'failed']),
      attempts: Count,
      error: { ...NullableText, description: 'Why the last attempt failed' },
      requested_at: Text,
      finished_at: NullableText,
    }),
  ),
});
export type QueueEntry = Static<typeof QueueEntry>;

const status: QueueStatus = {
  status: 'paused',
  paused_until: '2026-03-02T10:25:00.000Z',
  paused_indefinitely: false,
  slowed_until: null,
  max_concurrent: null,
  waiting: 120,
  running: 1,
  completed: 4_880,
  failed: 2,
};
const params = { id: 'portrait_3fa94c21d0' };
const entry: QueueEntry = {
  asset_id: params.id,
  jobs: [
    {
      processing_type: 'metadata',
      status: 'waiting',
      attempts: 0,
      error: null,
      requested_at: '2026-03-02T10:15:00.000Z',
      finished_at: null,
    },
  ],
};

const onQueue = { auth: 'bearer', project: true, tag: 'Asset queue' } as const;
const byEditors = { ...onQueue, role: 'editor' } as const;

export const getAssetQueueStatus = contract('GET /api/asset-queue/status', {
  ...onQueue,
  name: 'getAssetQueueStatus',
  summary: 'What is left to do for the assets of a project',
  description: 'Counts are of the project. Jobs that ended count for 30 days.',
  reply: QueueStatus,
  example: { reply: status },
});

export const pauseAssetQueue = contract('POST /api/asset-queue/pause', {
  ...byEditors,
  name: 'pauseAssetQueue',
  summary: 'Let no further job begin',
  description:
    'For all projects of the tenant. The pause ends by itself after `duration_seconds` (ten minutes unless said) from now; send it again to prolong it, or `indefinite`. Jobs that run come to their end.',
  body: optionalBody({
    duration_seconds: Seconds('600 unless said'),
    indefinite: Type.Optional(Type.Boolean({ description: 'Until somebody resumes' })),
  }),
  reply: QueueStatus,
  example: { body: { duration_seconds: 600 }, reply: status },
});

export const resumeAssetQueue = contract('POST /api/asset-queue/resume', {
  ...byEditors,
  name: 'resumeAssetQueue',
  summary: 'End a pause',
  body: optionalBody({}),
  reply: QueueStatus,
  example: { body: {}, reply: { ...status, status: 'working', paused_until: null } },
});

export const getAssetQueueEntry = contract('GET /api/asset-queue/asset/{id}', {
  ...onQueue,
  name: 'getAssetQueueEntry',
  summary: 'Work done and still to do for one asset',
  params: AssetParams,
  reply: QueueEntry,
  errors: [404],
  example: { params, reply: entry },
});

export const reportVramPressure = contract('POST /api/asset-queue/vram-pressure', {
  ...byEditors,
  name: 'reportVramPressure',
  summary: 'Report that graphics memory is short',
  description:
    '`high`: one job of the tenant at a time; `critical`: none begins; `normal`: as usual again. It holds for `duration_seconds` (one minute unless said) from now, so whoever is short of memory says it again.',
  body: closed({ level: oneOf(['normal', 'high', 'critical']), duration_seconds: Seconds('60 unless said') }),
  reply: QueueStatus,
  example: {
    body: { level: 'high' },
    reply: {
      ...status,
      status: 'slowed',
      paused_until: null,
      slowed_until: '2026-03-02T10:16:00.000Z',
      max_concurrent: 1,
    },
  },
});

export const rescanQueuedAsset = contract('POST /api/asset-queue/rescan/{id}', {
  ...byEditors,
  name: 'rescanQueuedAsset',
  summary: 'Process one asset again',
  params: AssetParams,
  body: optionalBody({}),
  reply: QueueEntry,
  errors: [404],
  example: { params, body: {}, reply: entry },
});

export const rescanQueuedAssets = contract('POST /api/asset-queue/batch-rescan', {
  ...byEditors,
  name: 'rescanQueuedAssets',
  summary: 'Process many assets again',
  description: 'Those of `asset_ids`, or all of the project where these are left out.',
  body: optionalBody({
    asset_ids: Type.Optional(Type.Array(AssetId, { minItems: 1, maxItems: 1_000 })),
  }),
  reply: Type.Object({
    assets: { ...Count, description: 'So many were found' },
    missing: Type.Array(Text, { description: 'Ids of no asset' }),
    queue: QueueStatus,
  }),
  example: {
    body: { asset_ids: [params.id] },
    reply: {
      assets: 1,
      missing: [],
      queue: { ...status, status: 'working', paused_until: null, waiting: 121 },
    },
  },
});
