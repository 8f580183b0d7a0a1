import type { Readable } from 'node:stream';

/**
 * Files of one account at a cloud drive. Only files that this app made there or that a person picked for it can be seen (scope
 * `drive.file`). Times are milliseconds since the epoch by the drive's clock. Every method rejects only with `DriveError`; `create` and
 * `update` also pass on what a content itself fails with.
 */
export interface Drive {
  /** Requests sent so far, repeated ones included. A batch is one. */
  readonly requests: number;
  about(): Promise<DriveAccount>;
  /** Null for an unknown id and for a file that cannot be seen; the two cannot be told apart. */
  file(fileId: string): Promise<DriveFile | null>;
  /** Throws `invalid_token` for a page token that is not accepted any more: list from the beginning. */
  files(query: FileQuery): Promise<FilePage>;
  /** From here on `changes` says what happens. */
  startPageToken(): Promise<string>;
  /** All that happened since the token, at least once. Throws `invalid_token` if it has expired: list everything. */
  changes(pageToken: string): Promise<ChangePage>;
  /** Ids for files that are created later, so that a creation can be repeated. At most 1,000. */
  newIds(count: number): Promise<string[]>;
  /** In one request; at most 100. In the order of the folders. */
  createFolders(folders: readonly NewFolder[]): Promise<readonly (DriveFile | DriveError)[]>;
  /** Throws `exists` if the id is taken, such as by the same call before. Large contents go in pieces and resume after a cut. */
  create(file: NewFile, content: DriveContent): Promise<DriveFile>;
  /** Replaces what is given; the former content stays as a revision. */
  update(fileId: string, change: FileChange): Promise<DriveFile>;
  /** Oldest first. */
  revisions(fileId: string): Promise<DriveRevision[]>;
  download(fileId: string, options?: DownloadOptions): Promise<DriveDownload>;
  /** Of a native document, such as one of the drive's word processor, in another format. At most 10 MB. */
  export(fileId: string, mimeType: string): Promise<Readable>;
  /** Without a mail to the person. */
  share(fileId: string, permission: { email: string; role: ShareRole }): Promise<DrivePermission>;
  /** Notifications of changes since the token are posted to the address, as hints. Throws `refused` for an id that is in use. */
  watch(pageToken: string, channel: NewChannel): Promise<DriveChannel>;
  /** Also resolves for an unknown channel. */
  stop(channel: Pick<DriveChannel, 'channelId' | 'resourceId'>): Promise<void>;
}

export type OpenDrive = (tokens: DriveTokens) => Drive;

/** The access tokens of one connection. */
export interface DriveTokens {
  /** `refused`: a token that the drive did not accept; another one is returned. Throws `DriveError` `revoked` if there is none. */
  token(refused?: string): Promise<string>;
}

export interface DriveAccount {
  email: string;
  name: string;
  /** The account's id among permissions. */
  permissionId: string;
  /** Bytes; null without a limit. */
  limit: number | null;
  used: number;
}

export const FOLDER_TYPE = 'application/vnd.google-apps.folder';
export const DOCUMENT_TYPE = 'application/vnd.google-apps.document';

export interface DriveFile {
  fileId: string;
  name: string;
  mimeType: string;
  /** Null if the parent cannot be seen. */
  parentId: string | null;
  isFolder: boolean;
  /** A document of the drive's own: it has no bytes and can only be exported. */
  isNative: boolean;
  /** Bytes, lower-case SHA-256 and revision of the content; null for folders and native documents. */
  size: number | null;
  sha256: string | null;
  headRevisionId: string | null;
  /** Grows with every change, also of the name or the place. */
  version: number;
  isTrashed: boolean;
  /** Trashed itself, not with a folder above. */
  isTrashedItself: boolean;
  createdAt: number;
  modifiedAt: number;
  /** The name of the person that changed it last; null if unknown. */
  modifiedBy: string | null;
  /** Null for the account's own files; the id of a shared drive otherwise. */
  driveId: string | null;
  canEdit: boolean;
  description: string;
  webViewLink: string | null;
  webContentLink: string | null;
}

/** All conditions given must hold; trashed files are left out unless `trashed` says so. */
export interface FileQuery {
  parentId?: string;
  foldersOnly?: boolean;
  trashed?: 'without' | 'with';
  /** A term of the drive's query language, already checked (`checkDriveQuery`). */
  term?: string;
  /** 1 to 1,000; 100 by default. */
  pageSize?: number;
  pageToken?: string;
}

export interface FilePage {
  files: DriveFile[];
  nextPageToken: string | null;
  /** The drive did not search everything, so what is not listed may exist. */
  isIncomplete: boolean;
}

export interface DriveChange {
  fileId: string;
  /** Null: removed for good, or not to be seen any more; the two cannot be told apart. */
  file: DriveFile | null;
}

export interface ChangePage {
  changes: DriveChange[];
  /** Continue with this one. */
  pageToken: string;
  hasMore: boolean;
}

export interface NewFolder {
  /** From `newIds`. */
  fileId: string;
  name: string;
  parentId: string;
}

export interface NewFile extends NewFolder {
  /** The content's type. */
  mimeType: string;
  /** The native type that the drive converts the content to. Such a document gets an id of the drive's in place of `fileId`. */
  convertTo?: string;
  description?: string;
}

/** Pieces are read again where a transfer broke off. */
export interface DriveContent {
  size: number;
  /** Bytes from `offset` to the end. */
  from(offset: number): Readable;
  /** Lets a large content go on in another process. */
  session?: ContentSession;
}

/** Where the drive keeps what has arrived of a content, for a week. */
export interface ContentSession {
  /** As `opened` was told by an earlier call for the same file with the same bytes; null if there was none. */
  path: string | null;
  /** Not for small contents, which go up at once. The path holds no token. */
  opened(path: string): Promise<void>;
}

export interface FileChange {
  name?: string;
  /** The new parent, and the former one that it leaves. */
  move?: { to: string; from: string };
  trashed?: boolean;
  content?: DriveContent & { mimeType: string };
}

export interface DriveRevision {
  revisionId: string;
  modifiedAt: number;
  size: number | null;
  md5: string | null;
}

export interface DownloadOptions {
  revisionId?: string;
  /** Bytes, both included; without `last` to the end. */
  range?: { first: number; last?: number };
}

export interface DriveDownload {
  /** Errors if the transfer breaks off. */
  body: Readable;
  /** Bytes of this answer. */
  size: number | null;
  mimeType: string;
  /** As in `Content-Range`; null if it is the whole content. */
  contentRange: string | null;
}

export type ShareRole = 'reader' | 'commenter' | 'writer';

export interface DrivePermission {
  permissionId: string;
  email: string;
  role: ShareRole;
}

export interface NewChannel {
  /** Unique, at most 64 characters of A-Z, a-z, 0-9, `-` and `_`. */
  channelId: string;
  /** Comes back with each notification; at most 256 characters. */
  secret: string;
  address: string;
  endsAt: number;
}

export interface DriveChannel {
  channelId: string;
  resourceId: string;
  endsAt: number;
}

/**
 * `revoked`: the account ended the access. `scope`: the access does not include this. `forbidden`: the account may not do this with
 * the file. `not_found`: unknown, or not to be seen. `exists`: the id is taken. `invalid_token`: of pages. `quota`: the account has no
 * room. `limited`: too many requests, even after waiting. `refused`: not acceptable as it is. `unavailable`: try again later.
 */
export type DriveErrorCode =
  | 'revoked'
  | 'scope'
  | 'forbidden'
  | 'not_found'
  | 'exists'
  | 'invalid_token'
  | 'quota'
  | 'limited'
  | 'refused'
  | 'unavailable';

/** `message` is shown to users. */
export class DriveError extends Error {
  readonly code: DriveErrorCode;
  /** Seconds, if the drive asked for a pause. */
  readonly retryAfter: number | null;
  constructor(code: DriveErrorCode, message: string, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options);
    this.name = 'DriveError';
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}
