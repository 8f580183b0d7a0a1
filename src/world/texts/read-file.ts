import type { EntryType } from '../../content/paths/index.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { EntityState } from './render.ts';

export interface FileRecord extends FileStat {
  entry_type: EntryType;
  entity_type: string | null;
  entity_id: string | null;
  sha256: string;
  /** The type of an asset's bytes; null for other files. */
  media_type: string | null;
  problem: string | null;
}

/** Never a real change time, so that the next walk reads the file again. */
export const VERIFY_AGAIN = 0;

/** One file as it was read from the folder. `state` is null unless it is a readable entity. */
export interface ImportItem {
  record: FileRecord;
  state: EntityState | null;
}

export const tooLargeFile = (size: number, largestText: number) => ({
  reason: `the file has ${size} bytes; a text may have ${largestText} (setting MAX_TEXT_BYTES)`,
  line: 1,
  column: 1,
});
