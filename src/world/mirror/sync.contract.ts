import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { Count, NullableText, named, Text } from '../../kit/schemas.ts';

const InvalidFiles = Type.Array(
  Type.Object({ path: Text, line: Type.Integer(), column: Type.Integer(), reason: Text }),
);
const Confirmation = Type.Object({
  since: Text,
  deletions: Type.Integer({ description: 'How many entities would be deleted' }),
  entities: Type.Integer({ description: 'Of how many' }),
  reason: Text,
  examples: Type.Array(Text),
});

export const SyncReport = named('SyncReport', {
  run_id: Text,
  scope: Type.String({ description: '`full`, `paths` or `type …`' }),
  status: Type.Enum(['completed', 'needs_confirmation', 'failed'], {
    description:
      '`needs_confirmation`: nothing was deleted, since it would be too much at once; `force` goes on',
  }),
  started_at: Text,
  finished_at: Text,
  duration_ms: Count,
  files_scanned: Count,
  created: Count,
  updated: Count,
  unchanged: Count,
  deleted: Count,
  adopted: Type.Integer({ description: 'Folders in the recycle bin that had no item' }),
  rerendered_types: Type.Array(Text, { description: 'Types whose template changed' }),
  invalid: InvalidFiles,
  invalid_total: Count,
  invalid_new: Type.Integer({ description: 'How many of them were not known before' }),
  skipped: Type.Array(Type.Object({ path: Text, reason: Text })),
  skipped_total: Count,
  unknown_folders: Type.Array(Text, { description: 'Folders that belong to no type' }),
  over_plan: Type.Integer({
    description: 'How many entities there are beyond the plan: no more can be made until there are fewer',
  }),
  confirmation: Type.Union([Confirmation, Type.Null()]),
  error: Type.Union([Type.Object({ code: Text, message: Text }), Type.Null()]),
});

export const exampleReport = {
  run_id: '5b0c1a3e-7d1c-4f0a-9c55-0f6f3f1f6d21',
  scope: 'full',
  status: 'completed',
  started_at: '2026-03-02T10:15:00.000Z',
  finished_at: '2026-03-02T10:15:00.420Z',
  duration_ms: 420,
  files_scanned: 61,
  created: 1,
  updated: 2,
  unchanged: 38,
  deleted: 0,
  adopted: 0,
  rerendered_types: [],
  invalid: [
    {
      path: 'Characters/ada/CH_ada.md',
      line: 7,
      column: 3,
      reason: 'duplicated mapping key',
    },
  ],
  invalid_total: 1,
  invalid_new: 1,
  skipped: [{ path: 'Characters/link.md', reason: 'a symbolic link: links are not followed' }],
  skipped_total: 1,
  unknown_folders: ['Drafts'],
  over_plan: 0,
  confirmation: null,
  error: null,
};

const Force = Type.Optional(
  Type.Boolean({ description: 'Continue although much would be deleted (`needs_confirmation`)' }),
);
const ForceText = Type.Optional(
  Type.Enum(['true', 'false'], { description: 'The same as `force` in the body' }),
);
const ForceQuery = Type.Object({ force: ForceText });
const ForceBody = optionalBody({ force: Force });
const runs = {
  auth: 'bearer',
  role: PERMISSIONS.edit_entities,
  project: true,
  tag: 'Sync',
  query: ForceQuery,
  reply: SyncReport,
} as const;
const ONE_RUN = 'Only one sync runs at a time; a request during a sync gets that sync’s report.';

export const syncAll = contract('POST /api/entity/sync/all', {
  name: 'syncAll',
  ...runs,
  summary: 'Bring the database up to the folder',
  description: ONE_RUN,
  body: ForceBody,
  errors: [503],
  example: { body: { force: false }, reply: exampleReport },
});

export const syncType = contract('POST /api/entity/sync/{type}', {
  name: 'syncType',
  ...runs,
  summary: 'The same for one type',
  params: Type.Object({ type: Text }),
  body: ForceBody,
  errors: [404, 503],
  example: {
    params: { type: 'character' },
    body: { force: false },
    reply: { ...exampleReport, scope: 'type character' },
  },
});

export const refreshAll = contract('POST /api/sync/refresh-all', {
  name: 'refreshAll',
  ...runs,
  summary: 'A full sync',
  description: `${ONE_RUN} The manifest follows along.`,
  body: ForceBody,
  errors: [503],
  example: { body: { force: false }, reply: exampleReport },
});

export const importChanges = contract('POST /api/sync/import-changes', {
  name: 'importChanges',
  ...runs,
  summary: 'Import what check-changes found',
  description: 'With `paths` those files and folders alone, else everything that changed.',
  body: optionalBody({
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 1_000 }),
    ),
    force: Force,
  }),
  errors: [503],
  example: { body: { paths: ['Characters/ada'] }, reply: { ...exampleReport, scope: 'paths' } },
});

export const syncFromFiles = contract('POST /api/markdown/sync-from-files', {
  name: 'syncFromFiles',
  ...runs,
  summary: 'A full sync from the markdown files',
  description: ONE_RUN,
  body: ForceBody,
  errors: [503],
  example: { body: { force: false }, reply: exampleReport },
});

export const checkChanges = contract('GET /api/sync/check-changes', {
  name: 'checkChanges',
  auth: 'bearer',
  project: true,
  tag: 'Sync',
  summary: 'What a sync would import; nothing is changed',
  reply: Type.Object({
    changes: Type.Array(
      Type.Object({
        path: Text,
        change: Type.Enum(['added', 'modified', 'deleted']),
        entity_type: NullableText,
        entity_id: NullableText,
      }),
      { description: 'The first 1,000' },
    ),
    total: Count,
  }),
  errors: [503],
  example: {
    reply: {
      changes: [
        {
          path: 'Characters/ada/CH_ada.md',
          change: 'modified',
          entity_type: 'character',
          entity_id: 'ada',
        },
      ],
      total: 1,
    },
  },
});

export const syncStatus = contract('GET /api/sync/status', {
  name: 'syncStatus',
  auth: 'none',
  project: true,
  tag: 'Sync',
  summary: 'Whether a sync runs, how far it is, and what the last one did',
  reply: Type.Object({
    running: Type.Boolean(),
    run_id: NullableText,
    scope: NullableText,
    started_at: NullableText,
    progress: Type.Union([
      Type.Object({
        phase: Type.Enum(['comparing', 'importing', 'deleting', 'rendering', 'finishing']),
        done: Count,
        total: Type.Union([Count, Type.Null()]),
      }),
      Type.Null(),
    ]),
    last: Type.Union([SyncReport, Type.Null()]),
    last_full_sync_at: NullableText,
    confirmation: Type.Union([Confirmation, Type.Null()], {
      description: 'A deletion that waits for `force`',
    }),
    invalid: InvalidFiles,
    invalid_total: Type.Integer({
      description:
        'Files that could not be taken in when they were read last, by whichever run; `invalid` names 200',
    }),
  }),
  example: {
    reply: {
      running: false,
      run_id: null,
      scope: null,
      started_at: null,
      progress: null,
      last: exampleReport,
      last_full_sync_at: '2026-03-02T10:15:00.420Z',
      confirmation: null,
      invalid: exampleReport.invalid,
      invalid_total: 1,
    },
  },
});

export const Watcher = Type.Object({
  running: Type.Boolean(),
  backend: Text,
  events_seen: Count,
  last_event_at: NullableText,
  losses: Count,
  error: NullableText,
  last_full_sync_at: NullableText,
});
export const exampleWatcher = {
  running: true,
  backend: '@parcel/watcher',
  events_seen: 12,
  last_event_at: '2026-03-02T10:15:00.000Z',
  losses: 0,
  error: null,
  last_full_sync_at: '2026-03-02T10:15:00.420Z',
};

export const fileWatcherStatus = contract('GET /api/sync/file-watcher/status', {
  name: 'fileWatcherStatus',
  auth: 'none',
  project: true,
  tag: 'Sync',
  summary: 'Whether the folder is watched',
  description: 'A watcher is a hint; the periodic full sync finds what it missed.',
  reply: Watcher,
  example: { reply: exampleWatcher },
});
