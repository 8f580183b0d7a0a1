import type { Readable } from 'node:stream';
import type { BodyOf, ReplyOf } from '../../kit/contract.ts';
import type { beginBatch } from '../../world/uploads/batch.contract.ts';
import type { PullReply } from '../replication/pull.contract.ts';
import type { PushedEntity, PushedFile, PushReply } from '../replication/push.contract.ts';
import type { resolveDesktopConflict } from '../replication/resolve.contract.ts';
import { ReplicaError, type ReplicaErrorCode } from '../sync/index.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** Seconds until the access token expires. */
  expires_in: number;
}

export type ConflictRecord = PullReply['conflicts'][number];

export interface Sent {
  entities: PushedEntity[];
  files: PushedFile[];
  cursor: string | null;
  force: boolean;
}

/** Files announced before their bytes are uploaded. */
export type BatchFile = BodyOf<typeof beginBatch>['files'][number];
export type Batch = ReplyOf<typeof beginBatch>;
type Upload = NonNullable<Batch['files'][number]['upload']>;

export type ConflictAnswer = BodyOf<typeof resolveDesktopConflict>;

/** One project in a cloud. Every method throws only `CloudError`. */
export interface Cloud {
  /** Exchanges a refresh token, which is void afterwards. */
  refresh(refreshToken: string): Promise<Tokens>;
  /** The tenant that the token gives access to. */
  account(): Promise<{ tenant_id: string }>;
  /** Null lists everything. */
  pull(cursor: string | null): Promise<PullReply>;
  /** Idempotent under the same key. */
  push(sent: Sent, key: string): Promise<PushReply>;
  beginBatch(files: readonly BatchFile[]): Promise<Batch>;
  sendBytes(upload: Pick<Upload, 'url' | 'headers'>, size: number, bytes: Readable): Promise<void>;
  /** The stream errors if the transfer breaks off. */
  fetchFile(path: string, sha256: string): Promise<Readable>;
  answerConflict(conflictId: string, answer: ConflictAnswer): Promise<void>;
}

/** `message` is shown to users. */
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
 * Returns a token for the next request. `refused` names one that the cloud rejected early, such as after a change of plan:
 * it is exchanged if possible, otherwise returned again.
 */
export type AskToken = (refused?: string) => Promise<string>;

/** `token` is called before each request. */
export type OpenCloud = (options: { url: string; token: AskToken; projectId: string }) => Cloud;
