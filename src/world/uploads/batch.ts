import type { Static } from 'typebox';
import type { BatchFile as FileSchema } from './batch.contract.ts';
import type { Kept } from './kept-folders.ts';

export type BatchFile = Static<typeof FileSchema>;

export interface Batch extends Kept {
  files: readonly BatchFile[];
  /** Ids of the assets made, by hash. */
  assetIds: Readonly<Record<string, string>>;
}
