import type { Project, Scope } from '../../world/records/index.ts';
import type { SyncResult, SyncStatus } from './sync.contract.ts';

export interface QueuedChange {
  key: string;
  kind: 'entity' | 'file';
  change: 'create' | 'update' | 'delete';
  path: string | null;
  /** Why it was not accepted last time. */
  problem: string | null;
}

export interface SyncLink {
  url: string;
  /** `settings`: CLOUD_URL and CLOUD_TOKEN. `signed_in`: a user signed in here. */
  by: 'settings' | 'signed_in';
}

/** Keeps projects equal to their replicas (README.md). */
export interface Sync {
  status(project: Project): Promise<SyncStatus>;
  /** At most `limit` changes that wait to be sent, and the total. */
  queue(project: Project, limit: number): Promise<{ total: number; changes: QueuedChange[] }>;
  /** One round in both directions; joins a running one. */
  syncNow(project: Project): Promise<SyncResult>;
  /** Takes over the replica's changes and sends nothing. */
  pull(project: Project): Promise<SyncResult>;
  /** Compares every file here with the last synced state; `force` allows any number of deletions there. */
  pushAll(project: Project, options?: { force?: boolean }): Promise<SyncResult>;
  /** Asks for a full listing; `force` allows any number of deletions here. */
  pullAll(project: Project, options?: { force?: boolean }): Promise<SyncResult>;
  /** Periodic rounds from now on, also after a restart. */
  start(project: Project): Promise<void>;
  stop(project: Project): Promise<void>;
  /** The replica may have changed: the next round comes at once. */
  hint(scope: Scope): void;
}
