import type { Project, Scope } from '../../world/records/index.ts';
import type { DriveConnection } from './connections.ts';

export interface DriveSyncResults {
  entities_created: number;
  entities_updated: number;
  entities_deleted: number;
  assets_synced: number;
}

/** Of the worker that keeps a project equal to its folder. */
export interface DriveSyncState {
  running: boolean;
  /** ISO 8601; null before the first round. */
  last_sync: string | null;
  entities_synced: number;
  assets_synced: number;
  last_error: string | null;
}

/** Keeps connected projects equal to their folders in a drive. */
export interface DriveSync {
  /** Runs a round now, even while a desktop is online, and waits for it. Rejects with `DriveError` if the drive ends it. */
  force(project: Project): Promise<DriveSyncResults>;
  /** Something may have changed there: a round begins soon. Many calls become one run. */
  hint(scope: Scope): Promise<void>;
  /** Null while there is no worker. */
  status(project: Project): Promise<DriveSyncState | null>;
  /** The project has this folder from now on; its worker starts. */
  connected(project: Project, connection: DriveConnection): Promise<void>;
  /** The project has no folder any more; its worker stops. What it knows of the folder is kept for another time. */
  disconnected(project: Project): Promise<void>;
}
