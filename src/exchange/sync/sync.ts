import type { Project, Scope } from '../../world/records/index.ts';
import type { SyncResult, SyncStatus } from './sync.contract.ts';

/** A change that waits to be sent. */
export interface QueuedChange {
  key: string;
  kind: 'entity' | 'file';
  change: 'create' | 'update' | 'delete';
  path: string | null;
  /** Why it was not taken the last time. */
  problem: string | null;
}

/** Where a tenant’s projects are synced to. */
export interface SyncLink {
  url: string;
  /** `settings`: by CLOUD_URL and CLOUD_TOKEN. `signed_in`: by somebody who signed in here. */
  by: 'settings' | 'signed_in';
}

/** Keeps projects the same as their replicas (README.md). */
export interface Sync {
  status(project: Project): Promise<SyncStatus>;
  /** What waits to be sent, up to `limit`, and how many there are. */
  queue(project: Project, limit: number): Promise<{ total: number; changes: QueuedChange[] }>;
  /** One round in both directions; joins the one that is under way. */
  syncNow(project: Project): Promise<SyncResult>;
  /** A round that takes over what changed in the replica, and sends nothing. */
  pull(project: Project): Promise<SyncResult>;
  /** Compares every file here with what was synced last, and sends what differs; `force` lets any number of deletions there pass. */
  pushAll(project: Project, options?: { force?: boolean }): Promise<SyncResult>;
  /** Asks for everything that the replica has; `force` lets any number of deletions here pass. */
  pullAll(project: Project, options?: { force?: boolean }): Promise<SyncResult>;
  /** Rounds come by themselves from now on, over restarts too. */
  start(project: Project): Promise<void>;
  stop(project: Project): Promise<void>;
  /** Something may have changed in the replica: the next round comes at once. */
  hint(scope: Scope): void;
}
