import type { EntryType } from '../../content/paths/index.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { EntityState } from './render.ts';

/** What is known of one file after it was read. */
export interface FileRecord extends FileStat {
  entry_type: EntryType;
  entity_type: string | null;
  entity_id: string | null;
  sha256: string;
  /** What an asset's bytes are; null for other files. */
  media_type: string | null;
  problem: string | null;
}

/** Never a real change time, so that the next walk reads the file again. */
export const VERIFY_AGAIN = 0;

/** One file as it was read from the folder. `state` is null for what is no readable entity. */
export interface ImportItem {
  record: FileRecord;
  state: EntityState | null;
}

/** Why a file of this size is not read. */
export const tooLargeFile = (size: number, largestText: number) => ({
  reason: `the file has ${size} bytes; a text may have ${largestText} (setting MAX_TEXT_BYTES)`,
  line: 1,
  column: 1,
});
