import type { Author } from '../../world/entities/index.ts';
import type { Project, Scope } from '../../world/records/index.ts';
import type { CloudLinks } from './links.service.ts';

/** `unlinked`: to no cloud. `stopped`: only on demand. `waiting`: for the next round, or for an answer to `confirmation`. */
export type SyncState = 'unlinked' | 'stopped' | 'waiting' | 'syncing';

export interface SyncError {
  /** `unreachable`, `signed_out`, `payment_required`, `forbidden`, `busy`, `failed`, `not_understood`, `disk`, `internal`. */
  code: string;
  message: string;
  at: string;
}

/** Deletions that are held back, since they would be too many at once. `force` goes on. */
export interface HeldDeletions {
  /** Where they would happen. */
  where: 'here' | 'in_the_cloud';
  deletions: number;
  of: number;
  examples: string[];
}

/** What of the sample world waits, since nobody's team wants it unasked: entities by type, and other files. `force` sends it. */
export interface HeldSample {
  entities: Record<string, number>;
  files: number;
}

/** What one round has done. */
export interface SyncResult {
  started_at: string;
  finished_at: string;
  /** Requests to the cloud. */
  requests: number;
  pushed: number;
  pulled: number;
  deleted_here: number;
  deleted_in_cloud: number;
  /** Own changes that the cloud joined with others'. */
  merged: number;
  /** Own changes that became conflicts; the cloud's text is here now, the own one is a revision. */
  conflicts: number;
  /** Own bytes that are kept beside the cloud's, by their new paths. */
  kept_copies: string[];
  /** What could not be taken over, and stays as it is on both sides. */
  left: { key: string; reason: string }[];
  held: HeldDeletions | null;
  held_sample: HeldSample | null;
  error: SyncError | null;
}

export interface SyncStatus {
  state: SyncState;
  cloud_url: string | null;
  /** Whether rounds come by themselves. */
  periodic: boolean;
  started_at: string | null;
  phase: 'pulling' | 'pushing' | 'writing' | null;
  pending: { to_push: number; to_write: number; conflicts: number };
  last: SyncResult | null;
  /** When both sides were last the same, as far as is known. */
  last_synced_at: string | null;
  /** When the next round comes by itself. */
  next_at: string | null;
}

/** A change that waits to be sent. */
export interface QueuedChange {
  key: string;
  kind: 'entity' | 'file';
  change: 'create' | 'update' | 'delete';
  path: string | null;
  /** Why it was not taken the last time. */
  problem: string | null;
}

/** A conflict as the cloud told of it; `local` is what this installation had sent, `remote` what the cloud had. */
export interface CloudConflict {
  conflict_id: string;
  entity_type: string;
  entity_id: string;
  conflicting_fields: string[];
  status: 'unresolved' | 'resolved';
  /** Resolved here, and not yet told to the cloud. */
  is_told: boolean;
  record: Record<string, unknown>;
}

export interface ResolveChoice {
  resolution: 'local' | 'remote' | 'cloud' | 'merged';
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

/** An installation's side of replication (docs/design.md, "Replication"). */
export interface CloudSync {
  links: CloudLinks;
  status(project: Project): Promise<SyncStatus>;
  /** What waits to be sent, up to `limit`, and how many there are. */
  queue(project: Project, limit: number): Promise<{ total: number; changes: QueuedChange[] }>;
  /** One round in both directions; joins the one that is under way. */
  syncNow(project: Project): Promise<SyncResult>;
  /** A round that takes over what changed in the cloud, and sends nothing. */
  pull(project: Project): Promise<SyncResult>;
  /** Compares every file here with what was synced last, and sends what differs; `force` lets any number of deletions there pass. */
  pushAll(project: Project, options?: { force?: boolean }): Promise<SyncResult>;
  /** Asks for everything that the cloud has; `force` lets any number of deletions here pass. */
  pullAll(project: Project, options?: { force?: boolean }): Promise<SyncResult>;
  /** Rounds come by themselves from now on, over restarts too. */
  start(project: Project): Promise<void>;
  stop(project: Project): Promise<void>;
  /** Something may have changed in the cloud: the next round comes at once. */
  hint(scope: Scope): void;
  conflicts(project: Project): Promise<CloudConflict[]>;
  /** Settles a conflict here; the cloud is told with the next round. 404, 409 when it is settled already. */
  resolve(
    project: Project,
    conflictId: string,
    choice: ResolveChoice,
    author: Author,
  ): Promise<CloudConflict>;
}
