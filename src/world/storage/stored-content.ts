import type { FileStore, ScanBatch } from '../../platform/files/files.ts';
import type { StorageMoveFileRow } from './storage.tables.ts';

export interface StoredContent {
  files: FileStore;
  /** Throws if a part cannot be listed. */
  walk(): Promise<ScanBatch>;
  /** Creates the project's place, even if it is empty. */
  establish(): Promise<void>;
  /** Removes the object at a path without reading it. */
  discard(path: string): Promise<void>;
}

export type CopiedFile = Omit<StorageMoveFileRow, 'tenant_id' | 'project_id'>;
