import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, closed, NullableText, named, nullableText, Text } from '../../kit/schemas.ts';
import {
  bySettings,
  exampleFolderId,
  FileId,
  FolderName,
  ofDrive,
  onProject,
  PageToken,
} from './shared.contract.ts';

/** Names of storage providers in replies. */
export const LOCAL_PROVIDER = 'local_fs';
export const DRIVE_PROVIDER = 'google_drive';

const UpgradeUrl = nullableText(
  'Where the user consents; null while nothing is missing, or where no drive is set up',
);
const Problem = nullableText('Why the consent ended; null while it works');
const login_url = 'https://canonry.example.com/api/auth/storage-oauth/google';
const time = '2026-03-04T05:06:07.890Z';
const userId = '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001';
const folder = { folder_id: exampleFolderId, folder_name: 'Saltmarsh' };

/** One route under both prefixes: the same input, and a name for each. */
const both = <Input extends { name: string }>(input: Input) => ({
  under: (name: string): Input => ({ ...input, name }),
  input,
});

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
      token_expires: time,
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
      connected_at: time,
      connected_by: userId,
      login_url,
      upgrade_url: null,
      problem: null,
    },
  },
});
export const getDriveStorage = contract('GET /api/drive-storage/status', status.input);
export const getDriveStorageToo = contract('GET /api/drive/oauth/status', status.under('getDriveStorageToo'));

const folders = both({
  ...ofDrive,
  name: 'listDriveFolders',
  summary: "Folders of the caller's drive",
  description:
    'Folders alone, and only those that Canonry made or that were picked for it: it may see no others. Trashed ones are left out. A page may hold fewer than `page_size`, or none: `next_page_token` says whether there are more.',
  query: Type.Object({
    parent_id: Type.Optional({
      ...FileId,
      description: 'Folders directly in this one; else those that lie in no other one that can be seen',
    }),
    page_token: Type.Optional(PageToken),
    page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  reply: named('DriveFolders', {
    folders: Type.Array(Type.Object({ id: Text, name: Text, modified_time: Text })),
    next_page_token: NullableText,
    parent_id: NullableText,
  }),
  errors: [400, 403, 404, 409, 503],
  example: {
    reply: {
      folders: [{ id: exampleFolderId, name: 'Saltmarsh', modified_time: time }],
      next_page_token: null,
      parent_id: null,
    },
  },
});
export const listDriveFolders = contract('GET /api/drive-storage/folders', folders.input);
export const listDriveFoldersToo = contract(
  'GET /api/drive/oauth/folders',
  folders.under('listDriveFoldersToo'),
);

const selection = both({
  ...bySettings,
  name: 'selectDriveFolder',
  summary: 'Keep the project equal to a folder of the drive',
  description:
    "For people, not for API keys. The caller's consent is used from then on. Both sides are merged: what only one has goes to the other. 409 `folder_in_use` for a folder of another project, and for one in it or above it. 403 with `upgrade_url` without a consent to write.",
  body: closed({ folder_id: FileId, folder_name: Type.Optional(FolderName) }),
  reply: named('DriveSelection', {
    status: Type.Enum(['connected']),
    folder_id: Text,
    folder_name: Text,
    provider: Text,
  }),
  errors: [403, 404, 409, 503],
  example: { body: folder, reply: { status: 'connected', ...folder, provider: DRIVE_PROVIDER } },
});
export const selectDriveFolder = contract('POST /api/drive-storage/select-folder', selection.input);
export const selectDriveFolderToo = contract(
  'POST /api/drive/oauth/select-folder',
  selection.under('selectDriveFolderToo'),
);

const disconnection = both({
  ...bySettings,
  name: 'disconnectDrive',
  summary: 'Keep the project equal to no folder of a drive any more',
  description:
    "For people, not for API keys. Everything stays here, and in the drive. The user's consent stays as well: `DELETE /api/auth/storage-oauth/{provider}` ends it.",
  reply: named('DriveDisconnection', { status: Type.Enum(['disconnected']), provider: Text }),
  errors: [403, 404, 503],
  example: { reply: { status: 'disconnected', provider: LOCAL_PROVIDER } },
});
export const disconnectDrive = contract('POST /api/drive-storage/disconnect', disconnection.input);
export const disconnectDriveToo = contract(
  'POST /api/drive/oauth/disconnect',
  disconnection.under('disconnectDriveToo'),
);

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

/** It becomes part of a header. */
const Token = Type.String({ pattern: '^[!-~]{1,4096}$' });

export const registerDesktopTokens = contract('POST /api/drive-storage/register-desktop-tokens', {
  ...bySettings,
  name: 'registerDesktopTokens',
  summary: 'Hand over the tokens of a desktop app, and choose a folder',
  description:
    "For people, not for API keys. The tokens become the caller's in the accounts service; those left out stay. The folder is then connected as by `select-folder`.",
  body: closed({
    access_token: Type.Optional(Token),
    refresh_token: Type.Optional(Token),
    token_expires: Type.Optional(Type.String({ format: 'date-time' })),
    root_folder_id: FileId,
    root_folder_name: Type.Optional(FolderName),
  }),
  reply: named('DesktopTokens', {
    status: Type.Enum(['registered']),
    folder_id: Text,
    folder_name: Text,
    provider: Text,
    source: Type.Enum(['desktop']),
  }),
  errors: [403, 404, 409, 503],
  example: {
    body: {
      access_token: 'ya29.a0Ab',
      refresh_token: '1//0eXy',
      token_expires: time,
      root_folder_id: exampleFolderId,
      root_folder_name: 'Saltmarsh',
    },
    reply: { status: 'registered', ...folder, provider: DRIVE_PROVIDER, source: 'desktop' },
  },
});

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
        last_sync: time,
        entities_synced: 212,
        assets_synced: 31,
        last_error: null,
      },
      desktop_presence: { online: true, sessions: 1 },
      token_health: { healthy: true, last_refresh: time, refreshes_remaining: null },
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
