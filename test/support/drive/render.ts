import { extname } from 'node:path';
import { isoTime } from '../../../src/kit/clock.ts';
import { type Api, canSee } from './api.ts';
import {
  DOCUMENT,
  headOf,
  isFolder,
  isNativeType,
  type Permission,
  type Revision,
  type StoredFile,
  TABLE,
  type User,
} from './objects.ts';

type Formats = Readonly<Record<string, string>>;

const EXPORTS: Formats = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/html': 'html',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/pdf': 'pdf',
};
const TABLE_EXPORTS: Formats = { 'text/csv': 'csv', 'application/pdf': 'pdf' };

export const exportsOf = ({ mimeType }: StoredFile): Formats =>
  mimeType === TABLE ? TABLE_EXPORTS : EXPORTS;

export const renderUser = ({ account }: { account: User }, user: User): object => ({
  kind: 'drive#user',
  displayName: user.displayName,
  me: user.emailAddress === account.emailAddress,
  permissionId: user.permissionId,
  emailAddress: user.emailAddress,
});

/** All fields; the ones that do not apply are left out, as in the drive's answers. */
export function renderFile(api: Api, file: StoredFile): object {
  const { store } = api;
  const parent = file.parentId === null ? undefined : store.files.get(file.parentId);
  const canEdit = store.canEdit(file);
  const isOwn = file.owner.emailAddress === store.account.emailAddress;
  return {
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.description !== '' && { description: file.description }),
    starred: false,
    trashed: store.isTrashed(file),
    explicitlyTrashed: file.trashedItself,
    ...(parent && canSee(api, parent) && { parents: [parent.id] }),
    ...some('properties', file.properties),
    ...some('appProperties', file.appProperties),
    spaces: ['drive'],
    version: String(file.version),
    webViewLink: viewLink(file),
    createdTime: isoTime(file.createdAt),
    modifiedTime: isoTime(file.modifiedAt),
    lastModifyingUser: renderUser(store, file.modifiedBy),
    ...(file.driveId !== null
      ? { driveId: file.driveId, teamDriveId: file.driveId }
      : { ownedByMe: isOwn, owners: [renderUser(store, file.owner)] }),
    shared: file.permissions.length > 0 || file.driveId !== null,
    isAppAuthorized: file.isVisible,
    capabilities: {
      canEdit,
      canRename: canEdit,
      canModifyContent: canEdit,
      canModifyName: canEdit,
      canTrash: canEdit,
      canDelete: canEdit && isOwn,
      canDownload: true,
      canReadRevisions: !isFolder(file),
      canAddChildren: canEdit && isFolder(file),
      canListChildren: isFolder(file),
    },
    ...contentFields(api, file),
  };
}

function contentFields({ tellsSha256 }: Api, file: StoredFile): object {
  const head = headOf(file);
  if (!head) return { quotaBytesUsed: '0' };
  const size = String(head.content.length);
  if (isNativeType(file.mimeType))
    return {
      size,
      quotaBytesUsed: size,
      ...(file.mimeType === DOCUMENT && { exportLinks: exportLinks(file) }),
    };
  const extension = extname(file.name).slice(1);
  return {
    webContentLink: `https://drive.google.com/uc?id=${file.id}&export=download`,
    originalFilename: head.originalFilename,
    fileExtension: extension,
    fullFileExtension: extension,
    md5Checksum: head.md5,
    ...(tellsSha256 && { sha256Checksum: head.sha256 }),
    size,
    quotaBytesUsed: size,
    headRevisionId: head.id,
  };
}

const some = (name: string, values: Record<string, string>): object =>
  Object.keys(values).length === 0 ? {} : { [name]: values };

function viewLink({ id, mimeType }: StoredFile): string {
  if (mimeType === DOCUMENT) return `https://docs.google.com/document/d/${id}/edit?usp=drivesdk`;
  if (isNativeType(mimeType)) return `https://drive.google.com/drive/folders/${id}`;
  return `https://drive.google.com/file/d/${id}/view?usp=drivesdk`;
}

const exportLinks = (file: StoredFile): object =>
  Object.fromEntries(
    Object.entries(exportsOf(file)).map(([mimeType, format]) => [
      mimeType,
      `https://docs.google.com/feeds/download/documents/export/Export?id=${file.id}&exportFormat=${format}`,
    ]),
  );

export function renderRevision(api: Api, file: StoredFile, revision: Revision): object {
  const isNative = isNativeType(file.mimeType);
  return {
    kind: 'drive#revision',
    id: revision.id,
    mimeType: isNative ? file.mimeType : revision.mimeType,
    modifiedTime: isoTime(revision.modifiedAt),
    lastModifyingUser: renderUser(api.store, revision.modifiedBy),
    ...(isNative
      ? { published: false, exportLinks: exportLinks(file) }
      : {
          keepForever: false,
          originalFilename: revision.originalFilename,
          md5Checksum: revision.md5,
          size: String(revision.content.length),
        }),
  };
}

export const renderPermission = (permission: Permission): object => ({
  kind: 'drive#permission',
  ...permission,
  deleted: false,
  pendingOwner: false,
});
