import type { FileStore, ScanBatch } from '../../platform/files/files.ts';
import type { StorageMoveFileRow } from './storage.tables.ts';

/** The files of a project at one place. */
export interface StoredContent {
  files: FileStore;
  /** All of it, or an error where a part cannot be listed. */
  walk(): Promise<ScanBatch>;
  /** Has the project be there, empty or not. */
  establish(): Promise<void>;
  /** Takes away what is at a path without looking at it. */
  discard(path: string): Promise<void>;
}

export type CopiedFile = Omit<StorageMoveFileRow, 'tenant_id' | 'project_id'>;
