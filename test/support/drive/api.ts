import { notFound } from './api-error.ts';
import type { Channels } from './channels.ts';
import type { StoredFile } from './objects.ts';
import { type Answer, type ApiRequest, flag } from './requests.ts';
import type { Store } from './store.ts';

export interface UploadSession {
  /** Null for a new file. */
  fileId: string | null;
  metadata: Record<string, unknown>;
  mimeType: string;
  /** Null while the client does not know it. */
  size: number | null;
  received: Buffer[];
  length: number;
  /** The request that began it, for its query. */
  begun: ApiRequest;
  answer: Answer | null;
}

/** The acts of the API work on this. */
export interface Api {
  store: Store;
  channels: Channels;
  /** Resumable uploads by their ids. */
  uploads: Map<string, UploadSession>;
  /** Results of queries that are listed in pages, by their tokens. */
  pages: Map<string, { ids: string[]; from: number; query: string }>;
  /** Added to the index of a change for its token; grows when all tokens are lost. */
  tokenBase: number;
  expiredTokenStatus: 400 | 410;
  allowHttpAddresses: boolean;
  tellsSha256: boolean;
  scopes: Set<string>;
  url(): string;
}

export type Act = (api: Api, request: ApiRequest, ids: string[]) => Answer;

const ALL_FILES = ['https://www.googleapis.com/auth/drive', 'https://www.googleapis.com/auth/drive.readonly'];

export const canSee = (api: Api, file: StoredFile): boolean =>
  file.isVisible || ALL_FILES.some((scope) => api.scopes.has(scope));

/** Throws 404 for a file that the app cannot see, too. */
export function fileOf(api: Api, { query }: Pick<ApiRequest, 'query'>, id: string): StoredFile {
  const file = api.store.files.get(id === 'root' ? api.store.rootId : id);
  if (!file || !canSee(api, file)) throw notFound(id);
  if (file.driveId !== null && !flag(query, 'supportsAllDrives')) throw notFound(id);
  return file;
}
