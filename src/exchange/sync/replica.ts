import type { Readable } from 'node:stream';
import type { Project, Scope } from '../../world/records/index.ts';
import type { SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { LocalItem } from './local-tree.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncLink } from './sync.ts';

export type RemoteItem = { key: SyncKey } & (
  | { kind: 'gone' }
  | {
      kind: 'entity';
      type: string;
      id: string;
      version: number;
      path: string;
      sha256: string;
      content: string;
      updatedBy: string | null;
    }
  | {
      kind: 'file';
      path: string;
      sha256: string;
      size: number;
      /** Null: to be fetched by `Replica.bytes`. */
      bytes: string | null;
      encoding: 'utf8' | 'base64';
    }
);

export type RemoteEntity = RemoteItem & { kind: 'entity' };
export type RemoteFile = RemoteItem & { kind: 'file' };

export const versionOf = (item: RemoteItem): number => (item.kind === 'entity' ? item.version : 0);

export interface ChangePage {
  /** Each key at most once. */
  items: readonly RemoteItem[];
  /** Paths where something came or went. */
  paths: readonly string[];
  /** This is a full listing: a key that no page names is gone. */
  isListing: boolean;
  /** The replica does not know the cursor's state any more, such as after a restored backup. */
  isRestored: boolean;
  hasMore: boolean;
  cursor: string;
  /** Remote content that cannot be taken over as it is. */
  left: readonly { key: SyncKey; reason: string }[];
}

/** Replaces `base` by `local`. */
export interface Change {
  /** The last state both sides agreed on. */
  base: SyncedItem;
  /** Undefined for a deletion. */
  local: LocalItem | undefined;
  /** Only the entity's own file goes or moves, such as when another entity has its folder by now. */
  keepsFolder: boolean;
  /** Null for a deletion, and for large assets, which the replica streams from the file. */
  content: string | Uint8Array | null;
}

/**
 * `stored`: the replica has exactly this now. `superseded`: it kept or merged what was sent, and its own version will come
 * with its changes. `refused`: it does not accept this as it is. `unsent`: the file changed here before it was sent.
 */
export type Outcome =
  | { kind: 'stored'; version: number }
  | { kind: 'superseded'; isMerged: boolean }
  | { kind: 'refused'; reason: string }
  | { kind: 'unsent' };

export interface PutReply {
  /** In the order of the changes. */
  outcomes: readonly Outcome[];
  /** The cursor to continue from if surely nobody else changed anything since ours; null otherwise. */
  cursor: string | null;
}

/** Conflicts kept by the replica that can be resolved on this side too. */
export interface ReplicaConflicts {
  /** Reconciles the rows and files of open conflicts. */
  settle(): Promise<void>;
  /** Sends the answers given here; `leave` gets those that were rejected. Resolves to whether there were any. */
  deliver(leave: (key: SyncKey, reason: string) => void): Promise<boolean>;
}

/** The other copy of a project, opened for one round. Its methods throw `ReplicaError`. */
export interface Replica {
  readonly link: SyncLink;
  /** True if the sample world goes there before anybody has edited it. */
  readonly takesSample: boolean;
  /** Requests sent so far. */
  readonly requests: number;
  /** The owner of the remote content. What was synced with another owner's is void. */
  account(): Promise<string>;
  /**
   * All that changed since the cursor; what did not change may come again. Null lists everything. Creates the project if
   * the replica has none.
   */
  changes(cursor: string | null): Promise<ChangePage>;
  /**
   * Stores each change whose base is what the replica has. An edit of something deleted there is stored as new. Moves of
   * one call happen together, so entities may change places. No two entities share a folder: a new one whose folder is
   * taken lies elsewhere, and one that cannot move stays; both are `superseded`. Idempotent.
   * Null if it would delete too much at once without `force`.
   */
  put(
    changes: readonly Change[],
    options: { cursor: string | null; force: boolean },
  ): Promise<PutReply | null>;
  /** The stream errors if the transfer breaks off. */
  bytes(file: RemoteFile): Promise<Readable>;
  /** Called where the project had another replica before: what was kept for that one is void. */
  forget(db: SyncDb): Promise<void>;
  conflicts: ReplicaConflicts | null;
}

export interface Replicas {
  current(scope: Scope): Promise<SyncLink | null>;
  /** Throws `NOT_LINKED` if there is none. */
  require(scope: Scope): Promise<SyncLink>;
  /** For one round, which the user may have forced. Throws as `require` does. */
  open(project: Project, request: { force: boolean }): Promise<Replica>;
  /** Conflicts that the replica keeps and that are open. */
  countConflicts?(db: SyncDb, project: Project): Promise<number>;
}

/** The error code where there is no replica. */
export const NOT_LINKED = 'not_configured';

export type ReplicaErrorCode =
  | 'unreachable'
  | 'signed_out'
  | 'payment_required'
  | 'forbidden'
  | 'busy'
  | 'failed'
  | 'refused'
  | 'not_understood';

/** `message` is shown to users. */
export class ReplicaError extends Error {
  readonly code: ReplicaErrorCode;
  /** Seconds, if the replica asked for a pause. */
  readonly retryAfter: number | null;
  constructor(code: ReplicaErrorCode, message: string, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options);
    this.name = 'ReplicaError';
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}

export const otherBytes = (path: string) =>
  new ReplicaError('not_understood', `Other bytes came for ${path} than were announced`);
