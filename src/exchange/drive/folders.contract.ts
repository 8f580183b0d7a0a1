import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed, NullableText, named, Text } from '../../kit/schemas.ts';
import {
  both,
  bySettings,
  exampleFolderId,
  exampleTime,
  FileId,
  FolderName,
  ofDrive,
  PageToken,
} from './shared.contract.ts';

/** Names of storage providers in replies. */
export const LOCAL_PROVIDER = 'local_fs';
export const DRIVE_PROVIDER = 'google_drive';

const Folder = named('DriveFolder', { id: Text, name: Text, modified_time: Text });
const exampleFolder = { id: exampleFolderId, name: 'Saltmarsh', modified_time: exampleTime };
const chosen = { folder_id: exampleFolderId, folder_name: 'Saltmarsh' };

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
    folders: Type.Array(Folder),
    next_page_token: NullableText,
    parent_id: NullableText,
  }),
  errors: [400, 403, 404, 409, 503],
  example: {
    reply: {
      folders: [exampleFolder],
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

export const createDriveFolder = contract('POST /api/drive-storage/folders', {
  ...ofDrive,
  role: PERMISSIONS.manage_settings,
  name: 'createDriveFolder',
  summary: "Make a folder in the caller's drive",
  description:
    'For people, not for API keys. A new account has no folder that Canonry may see, so that there is none to select: this makes one. It does not look for one of the same name. 403 with `upgrade_url` without a consent to write.',
  body: closed({
    name: Type.String({ pattern: '^[^/\\p{Cc}]{1,255}$', description: 'Without `/` and control characters' }),
    parent_id: Type.Optional({
      ...FileId,
      description: 'The folder to make it in; else the root of the drive',
    }),
  }),
  status: 201,
  reply: Folder,
  errors: [403, 404, 409, 503],
  example: { body: { name: 'Saltmarsh' }, reply: exampleFolder },
});

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
  example: { body: chosen, reply: { status: 'connected', ...chosen, provider: DRIVE_PROVIDER } },
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

/** It becomes part of a header. */
const Token = Type.String({ pattern: '^[!-~]{1,4096}$' });

export const registerDesktopTokens = contract('POST /api/drive-storage/register-desktop-tokens', {
  ...bySettings,
  name: 'registerDesktopTokens',
  summary: 'Hand over the tokens of a desktop app, and choose a folder',
  description:
    "For people, not for API keys. The tokens become the caller's in the accounts service; those left out stay. The folder is looked at with `access_token` first: if it cannot be used, no token is kept. An access token that the drive does not accept any more needs a `refresh_token` beside it. The folder is then connected as by `select-folder`.",
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
      token_expires: exampleTime,
      root_folder_id: exampleFolderId,
      root_folder_name: 'Saltmarsh',
    },
    reply: { status: 'registered', ...chosen, provider: DRIVE_PROVIDER, source: 'desktop' },
  },
});
