import type { Readable } from 'node:stream';
import type { PullReply } from '../replication/pull.contract.ts';
import type { PushedEntity, PushedFile, PushReply } from '../replication/push.contract.ts';
import { ReplicaError, type ReplicaErrorCode } from '../sync/index.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** Seconds until the access token runs out. */
  expires_in: number;
}

export type ConflictRecord = PullReply['conflicts'][number];

export interface Sent {
  entities: PushedEntity[];
  files: PushedFile[];
  cursor: string | null;
  force: boolean;
}

/** Bytes that are to be sent before the file that has them. */
export interface BatchFile {
  sha256: string;
  size: number;
  filename: string;
}

export interface BatchReply {
  id: string;
  files: {
    sha256: string;
    state: 'present' | 'missing' | 'refused';
    upload: { url: string; headers: Record<string, string> } | null;
    detail: string | null;
  }[];
}

export interface Answer {
  resolution: 'local' | 'remote' | 'cloud' | 'merged';
  fields?: Record<string, unknown>;
  markdown_body?: string;
}

/** What is asked of a cloud, about one project. Every method throws `CloudError` alone. */
export interface Cloud {
  /** Exchanges a refresh token for new tokens; the old one is good no more. */
  refresh(refreshToken: string): Promise<Tokens>;
  /** Whose content the token reaches. */
  account(): Promise<{ tenant_id: string }>;
  /** What changed since a cursor; null: everything. */
  pull(cursor: string | null): Promise<PullReply>;
  /** The same push may be sent again under the same key. */
  push(sent: Sent, key: string): Promise<PushReply>;
  beginBatch(files: readonly BatchFile[]): Promise<BatchReply>;
  sendBytes(
    upload: { url: string; headers: Record<string, string> },
    size: number,
    bytes: Readable,
  ): Promise<void>;
  /** The bytes of an asset; the stream ends with an error when they break off. */
  fetchFile(path: string, sha256: string): Promise<Readable>;
  answerConflict(conflictId: string, answer: Answer): Promise<void>;
}

/** Why the cloud did not do what it was asked; `message` is for people. */
export class CloudError extends ReplicaError {
  /** The code in the cloud's reply, such as `brake`. */
  readonly reason: string | null;
  constructor(
    code: ReplicaErrorCode,
    message: string,
    options: ErrorOptions & { retryAfter?: number; reason?: string } = {},
  ) {
    super(code, message, options);
    this.name = 'CloudError';
    this.reason = options.reason ?? null;
  }
}

/**
 * A token for a request now. One that the cloud refused before its time, since a plan or a role has changed, is named
 * as `refused` and exchanged; where that cannot be, the same comes back.
 */
export type AskToken = (refused?: string) => Promise<string>;

/** Opens the way to a cloud; `token` is asked before each request. */
export type OpenCloud = (options: { url: string; token: AskToken; projectId: string }) => Cloud;
