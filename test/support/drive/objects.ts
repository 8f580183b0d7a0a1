export const FOLDER = 'application/vnd.google-apps.folder';
export const DOCUMENT = 'application/vnd.google-apps.document';
export const TABLE = 'application/vnd.google-apps.spreadsheet';

export interface User {
  displayName: string;
  emailAddress: string;
  permissionId: string;
}

export interface Permission {
  id: string;
  type: string;
  role: string;
  emailAddress?: string;
  displayName?: string;
}

export interface Revision {
  id: string;
  mimeType: string;
  content: Buffer;
  md5: string;
  sha256: string;
  modifiedAt: number;
  modifiedBy: User;
  originalFilename: string;
}

/** A file, folder or native document as the server keeps it. */
export interface StoredFile {
  id: string;
  name: string;
  mimeType: string;
  /** Null for the root of an account's files or of a shared drive. */
  parentId: string | null;
  driveId: string | null;
  owner: User;
  description: string;
  properties: Record<string, string>;
  appProperties: Record<string, string>;
  trashedItself: boolean;
  version: number;
  createdAt: number;
  modifiedAt: number;
  modifiedBy: User;
  /** Oldest first; none for folders. */
  revisions: Revision[];
  permissions: Permission[];
  /** True if the app made it or a person picked it. */
  isVisible: boolean;
  /** Of the account; null as the folder above. */
  canEdit: boolean | null;
}

export const isFolder = (file: StoredFile): boolean => file.mimeType === FOLDER;

/** A type of the drive's own: without bytes that could be downloaded. */
export const isNativeType = (mimeType: string): boolean =>
  mimeType.startsWith('application/vnd.google-apps.');

export const headOf = (file: StoredFile): Revision | undefined => file.revisions.at(-1);

export interface Change {
  fileId: string;
  at: number;
  /** Kept here because the file may be gone when the change is listed. */
  driveId: string | null;
  /** The app could see the file before. */
  wasVisible: boolean;
}
