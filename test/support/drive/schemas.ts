import type { Schema } from './fields.ts';

const names = (list: string): Schema =>
  Object.fromEntries(list.split(/\s+/).map((name) => [name, true as const]));

/** Any names, as people choose them. */
const FREE: Schema = { '*': true };

const USER = names('kind displayName photoLink me permissionId emailAddress');

export const PERMISSION: Schema = names(
  `kind id type role emailAddress displayName domain photoLink deleted allowFileDiscovery expirationTime pendingOwner view
  permissionDetails inheritedPermissionsDisabled teamDrivePermissionDetails`,
);

export const REVISION: Schema = {
  ...names(
    `kind id mimeType modifiedTime keepForever published publishedLink publishAuto publishedOutsideDomain originalFilename
    md5Checksum size`,
  ),
  exportLinks: FREE,
  lastModifyingUser: USER,
};

export const FILE: Schema = {
  ...names(
    `kind id name mimeType description starred trashed explicitlyTrashed trashedTime parents spaces version webContentLink
    webViewLink iconLink hasThumbnail thumbnailLink thumbnailVersion viewedByMe viewedByMeTime createdTime modifiedTime
    modifiedByMe modifiedByMeTime sharedWithMeTime teamDriveId driveId shared ownedByMe viewersCanCopyContent
    copyRequiresWriterPermission writersCanShare permissionIds hasAugmentedPermissions folderColorRgb originalFilename
    fullFileExtension fileExtension md5Checksum sha1Checksum sha256Checksum size quotaBytesUsed headRevisionId isAppAuthorized
    resourceKey contentRestrictions labelInfo inheritedPermissionsDisabled downloadRestrictions clientEncryptionDetails`,
  ),
  owners: USER,
  trashingUser: USER,
  sharingUser: USER,
  lastModifyingUser: USER,
  permissions: PERMISSION,
  properties: FREE,
  appProperties: FREE,
  exportLinks: FREE,
  linkShareMetadata: FREE,
  shortcutDetails: names('targetId targetMimeType targetResourceKey'),
  imageMediaMetadata: FREE,
  videoMediaMetadata: FREE,
  contentHints: FREE,
  capabilities: names(
    `canEdit canComment canCopy canDelete canDownload canRename canShare canTrash canUntrash canAddChildren canListChildren
    canRemoveChildren canReadRevisions canModifyContent canModifyName canMoveItemWithinDrive canMoveItemOutOfDrive
    canDeleteChildren canTrashChildren canMoveChildrenWithinDrive canMoveChildrenOutOfDrive canChangeViewersCanCopyContent
    canChangeCopyRequiresWriterPermission canAddMyDriveParent canRemoveMyDriveParent canReadDrive canModifyLabels
    canReadLabels canAcceptOwnership canModifyContentRestriction canAddFolderFromAnotherDrive
    canMoveChildrenOutOfTeamDrive canMoveItemIntoTeamDrive canMoveItemOutOfTeamDrive canMoveItemWithinTeamDrive
    canMoveTeamDriveItem canReadTeamDrive canModifyEditorContentRestriction canModifyOwnerContentRestriction
    canRemoveContentRestriction canDisableInheritedPermissions canEnableInheritedPermissions
    canMoveChildrenWithinTeamDrive canChangeItemDownloadRestriction`,
  ),
};

export const FILE_LIST: Schema = { ...names('kind nextPageToken incompleteSearch'), files: FILE };

export const CHANGE_LIST: Schema = {
  ...names('kind nextPageToken newStartPageToken'),
  changes: {
    ...names('kind type changeType time removed fileId teamDriveId driveId'),
    file: FILE,
    drive: FREE,
    teamDrive: FREE,
  },
};

export const REVISION_LIST: Schema = { ...names('kind nextPageToken'), revisions: REVISION };

export const ABOUT: Schema = {
  ...names('kind folderColorPalette maxUploadSize appInstalled canCreateDrives canCreateTeamDrives'),
  user: USER,
  storageQuota: names('limit usage usageInDrive usageInDriveTrash'),
  importFormats: FREE,
  exportFormats: FREE,
  maxImportSizes: FREE,
  driveThemes: FREE,
  teamDriveThemes: FREE,
};

export const GENERATED_IDS: Schema = names('kind space ids');
export const START_TOKEN: Schema = names('kind startPageToken');
export const CHANNEL: Schema = {
  ...names('kind id resourceId resourceUri token expiration type address payload'),
  params: FREE,
};

export const DEFAULT_FILE = 'kind,id,name,mimeType';
