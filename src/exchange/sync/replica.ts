import type { Readable } from 'node:stream';
import type { Project } from '../../world/records/index.ts';
import type { SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { LocalItem } from './local-tree.ts';
import type { SyncLink } from './sync.ts';

/** What a replica has at one key now. */
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
      /** Null where they are to be asked for. */
      bytes: string | null;
      encoding: 'utf8' | 'base64';
    }
);

export type RemoteEntity = RemoteItem & { kind: 'entity' };
export type RemoteFile = RemoteItem & { kind: 'file' };

export const versionOf = (item: RemoteItem): number => (item.kind === 'entity' ? item.version : 0);

export interface ChangePage {
  /** Each key once. */
  items: readonly RemoteItem[];
  /** Where something came or went. */
  paths: readonly string[];
  /** Everything is being listed: a key that is on none of the pages is gone. */
  isListing: boolean;
  /** The cursor is of a state that the replica does not know any more, as after a backup of it was brought back. */
  isRestored: boolean;
  hasMore: boolean;
  cursor: string;
}

/** A change as it is sent: `local` in place of `base`. */
export interface Change {
  /** What both sides had when they were last the same. */
  base: SyncedItem;
  /** Undefined for a deletion. */
  local: LocalItem | undefined;
  /** Its own file alone goes or moves, such as where another entity has the folder by now. */
  keepsFolder: boolean;
  /** The text of an entity, the bytes of a file. Null for a deletion, and for an asset that is to be read where it lies. */
  content: string | Uint8Array | null;
}

/**
 * The replica has exactly that now (`stored`), or something else in its place, which comes with its changes, while it
 * keeps or has merged what was sent (`superseded`), or it does not take it as it is (`refused`). What changed here
 * before it was sent is `unsent`.
 */
export type Outcome =
  | { kind: 'stored'; version: number }
  | { kind: 'superseded'; isMerged: boolean }
  | { kind: 'refused'; reason: string }
  | { kind: 'unsent' };

export interface PutReply {
  /** One for each change. */
  outcomes: readonly Outcome[];
  /** Where to go on if nobody else changed anything since the cursor that was sent; null otherwise. */
  cursor: string | null;
}

/** Conflicts that a replica keeps and this side resolves as well. */
export interface ReplicaConflicts {
  /** Brings the rows and files of open ones together. */
  settle(): Promise<void>;
  /** Sends how they were resolved here; `leave` hears of what is not taken. Resolves to whether there was any. */
  deliver(leave: (key: SyncKey, reason: string) => void): Promise<boolean>;
}

/** Where a project is kept a second time, during one round. Its methods throw `ReplicaError` for whatever is wrong there. */
export interface Replica {
  readonly link: SyncLink;
  /** How many requests it has been sent. */
  readonly requests: number;
  /** Whose content it has; what was synced with somebody else's holds no more. */
  account(): Promise<string>;
  /** What changed since a cursor; null: everything. A replica without this project makes it. */
  changes(cursor: string | null): Promise<ChangePage>;
  /**
   * Stores each change whose base is what the replica has. An edit of what it has no more is stored as new. The same
   * changes may be sent again. Null where they would delete too much at once, unless that is forced.
   */
  put(
    changes: readonly Change[],
    options: { cursor: string | null; force: boolean },
  ): Promise<PutReply | null>;
  /** The bytes of a file; the stream ends with an error when they break off. */
  bytes(file: RemoteFile): Promise<Readable>;
  conflicts: ReplicaConflicts | null;
}

/** Which replica a tenant's projects have. */
export interface Replicas {
  current(tenantId: string): Promise<SyncLink | null>;
  /** The same; throws `NOT_LINKED` where there is none. */
  require(tenantId: string): Promise<SyncLink>;
  /** For one round; throws as `require` does. */
  open(project: Project): Promise<Replica>;
}

/** The code of an error that says that there is no replica. */
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

/** Why a replica did not do what it was asked; `message` is for people. */
export class ReplicaError extends Error {
  readonly code: ReplicaErrorCode;
  /** Seconds to wait, where the replica says so. */
  readonly retryAfter: number | null;
  constructor(code: ReplicaErrorCode, message: string, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options);
    this.name = 'ReplicaError';
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}

export const otherBytes = (path: string) =>
  new ReplicaError('not_understood', `The cloud sent other bytes for ${path} than it had named`);
