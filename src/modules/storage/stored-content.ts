import { type FileStore, FilesError, type ScanBatch } from '../../platform/files/files.ts';
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

/** What vanished while it was looked at is found gone, or back, by the next round. */
export function ifGone(error: unknown): void {
  if (!(error instanceof FilesError) || error.code !== 'not_found') throw error;
}
