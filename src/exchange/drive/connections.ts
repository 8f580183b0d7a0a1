import type { Scope } from '../../world/records/index.ts';
import type { ConnectionSource } from './drive.tables.ts';

/** The folder of a drive that a project is kept equal to. */
export interface DriveConnection extends Scope {
  rootFolderId: string;
  rootFolderName: string;
  /** The user whose tokens are used. */
  userId: string;
  source: ConnectionSource;
  /** ISO 8601. */
  connectedAt: string;
}
