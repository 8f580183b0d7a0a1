import { type ComparedContent, compareContent } from '../../content/compare.ts';
import { describeDifference, unifiedDiff } from '../../content/difference-text.ts';
import { type DocumentMerge, mergeDocuments, type Settled } from '../../content/merge/index.ts';

export interface ComparedText {
  text: string;
  content: ComparedContent;
  label: string;
}

export interface CompareOrder {
  before: ComparedText;
  after: ComparedText;
}

export interface MergeOrder {
  base: string;
  local: string;
  remote: string;
  /** Overlaps that were decided elsewhere. */
  settled?: readonly Settled[];
}

/** Work for this thread or, with long texts, for another one. */
export const WORK = {
  /** JSON text serves as the reply, and a thread can hand it over without a copy of each line. */
  compare({ before, after }: CompareOrder): string {
    const difference = compareContent(before.content, after.content);
    return JSON.stringify({
      ...difference,
      summary: describeDifference(difference),
      text: unifiedDiff(before.text, after.text, { before: before.label, after: after.label }),
    });
  },
  merge: ({ base, local, remote, settled }: MergeOrder): DocumentMerge =>
    mergeDocuments(base, local, remote, settled),
};

export type LongWork = { compare: CompareOrder } | { merge: MergeOrder };
