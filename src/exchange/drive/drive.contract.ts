import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, NullableText, named, nullableText, Text } from '../../kit/schemas.ts';
import { both, exampleFolderId, exampleTime, ofDrive, onProject } from './shared.contract.ts';

const UpgradeUrl = nullableText(
  'Where the user consents; null while nothing is missing, or where no drive is set up',
);
const Problem = nullableText('Why the consent ended; null while it works');
const login_url = 'https://canonry.example.com/api/auth/storage-oauth/google';
const userId = '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001';

export const getDriveStatus = contract('GET /api/drive/status', {
  ...ofDrive,
  name: 'getDriveStatus',
  summary: "Whether the caller's drive is connected",
  description: 'The tokens are in the accounts service and are never shown.',
  reply: named('DriveStatus', {
    connected: Type.Boolean({ description: 'There is a consent, and it was accepted when it was last used' }),
    configured: Type.Boolean({ description: 'This installation can ask for consents' }),
    has_access_token: Type.Boolean(),
    auth_provider: Text,
    token_expires: NullableText,
    upgrade_url: UpgradeUrl,
    problem: Problem,
  }),
  errors: [403, 503],
  example: {
    reply: {
      connected: true,
      configured: true,
      has_access_token: true,
      auth_provider: 'google',
      token_expires: exampleTime,
      upgrade_url: null,
      problem: null,
    },
  },
});

const status = both({
  ...onProject,
  name: 'getDriveStorage',
  summary: 'Which folder of a drive the project has',
  description:
    '`is_active_provider`: the project is kept equal to `root_folder_id`. `user_has_tokens` is about the caller.',
  reply: named('DriveStorage', {
    server_configured: Type.Boolean(),
    user_has_tokens: Type.Boolean(),
    is_active_provider: Type.Boolean(),
    root_folder_id: NullableText,
    root_folder_name: NullableText,
    connected_at: NullableText,
    connected_by: NullableText,
    login_url: nullableText('Where the user connects a drive; null where none is set up'),
    upgrade_url: UpgradeUrl,
    problem: Problem,
  }),
  errors: [403, 404, 503],
  example: {
    reply: {
      server_configured: true,
      user_has_tokens: true,
      is_active_provider: true,
      root_folder_id: exampleFolderId,
      root_folder_name: 'Saltmarsh',
      connected_at: exampleTime,
      connected_by: userId,
      login_url,
      upgrade_url: null,
      problem: null,
    },
  },
});
export const getDriveStorage = contract('GET /api/drive-storage/status', status.input);
export const getDriveStorageToo = contract('GET /api/drive/oauth/status', status.under('getDriveStorageToo'));

const trial = both({
  ...onProject,
  name: 'testDrive',
  summary: "Look into the project's folder of the drive",
  description:
    'Counts what lies directly in it, up to 20,000, and names the first 200 folders. 409 `root_folder_missing` if it is gone, trashed, or not to be seen any more.',
  reply: named('DriveTest', {
    status: Type.Enum(['ok']),
    root_folder_id: Text,
    root_folder_name: Text,
    folders_found: Count,
    files_found: Count,
    folder_names: Type.Array(Text),
  }),
  errors: [403, 404, 409, 503],
  example: {
    reply: {
      status: 'ok',
      root_folder_id: exampleFolderId,
      root_folder_name: 'Saltmarsh',
      folders_found: 2,
      files_found: 0,
      folder_names: ['Characters', 'Locations'],
    },
  },
});
export const testDrive = contract('POST /api/drive-storage/test', trial.input);
export const testDriveToo = contract('POST /api/drive/oauth/test', trial.under('testDriveToo'));

const SyncWorker = Type.Object({
  running: Type.Boolean(),
  last_sync: NullableText,
  entities_synced: Count,
  assets_synced: Count,
  last_error: NullableText,
});

const syncStatus = both({
  ...onProject,
  name: 'getDriveSyncStatus',
  summary: 'How the sync with the drive is doing',
  description:
    '`sync_worker` is null while the project has no folder. `desktop_presence` counts the connected desktop apps of the tenant. `token_health` is about the consent that the sync uses; `refreshes_remaining` is null, since the provider sets no limit.',
  reply: named('DriveSyncStatus', {
    sync_worker: Type.Unsafe<Static<typeof SyncWorker> | null>(Type.Union([SyncWorker, Type.Null()])),
    desktop_presence: Type.Object({ online: Type.Boolean(), sessions: Count }),
    token_health: Type.Object({
      healthy: Type.Boolean(),
      last_refresh: NullableText,
      refreshes_remaining: Type.Null(),
    }),
  }),
  errors: [403, 404, 409, 503],
  example: {
    reply: {
      sync_worker: {
        running: false,
        last_sync: exampleTime,
        entities_synced: 212,
        assets_synced: 31,
        last_error: null,
      },
      desktop_presence: { online: true, sessions: 1 },
      token_health: { healthy: true, last_refresh: exampleTime, refreshes_remaining: null },
    },
  },
});
export const getDriveSyncStatus = contract('GET /api/drive-storage/cloud-sync-status', syncStatus.input);
export const getDriveSyncStatusToo = contract(
  'GET /api/drive/cloud-sync-status',
  syncStatus.under('getDriveSyncStatusToo'),
);

const round = both({
  ...onProject,
  role: PERMISSIONS.edit_entities,
  name: 'forceDriveSync',
  summary: 'Sync with the drive now',
  description: 'Also while a desktop app is online.',
  reply: named('ForcedDriveSync', {
    status: Type.Enum(['completed']),
    results: Type.Object({
      entities_created: Count,
      entities_updated: Count,
      entities_deleted: Count,
      assets_synced: Count,
    }),
  }),
  errors: [403, 404, 409, 503],
  example: {
    reply: {
      status: 'completed',
      results: { entities_created: 1, entities_updated: 3, entities_deleted: 0, assets_synced: 2 },
    },
  },
});
export const forceDriveSync = contract('POST /api/drive-storage/force-sync', round.input);
export const forceDriveSyncToo = contract('POST /api/drive/force-sync', round.under('forceDriveSyncToo'));
