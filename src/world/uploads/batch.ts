import type { Static } from 'typebox';
import type { BatchFile as FileSchema } from './batch.contract.ts';
import type { Kept } from './kept-folders.ts';

export type BatchFile = Static<typeof FileSchema>;

/** Files that were announced, as the batch's folder remembers them. */
export interface Batch extends Kept {
  files: readonly BatchFile[];
  /** What files became, by their hashes. */
  assetIds: Readonly<Record<string, string>>;
}
