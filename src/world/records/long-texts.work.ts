import { type ComparedContent, compareContent } from '../../content/compare.ts';
import { describeDifference, unifiedDiff } from '../../content/difference-text.ts';
import { type DocumentMerge, mergeDocuments } from '../../content/merge/index.ts';

/** A state of an entity: its file's text, and what that says. */
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
}

/** What is done here or, for long texts, in a thread. */
export const WORK = {
  /** As JSON text: for the reply, and to hand a thread's answer over without copying it line by line. */
  compare({ before, after }: CompareOrder): string {
    const difference = compareContent(before.content, after.content);
    return JSON.stringify({
      ...difference,
      summary: describeDifference(difference),
      text: unifiedDiff(before.text, after.text, { before: before.label, after: after.label }),
    });
  },
  merge: ({ base, local, remote }: MergeOrder): DocumentMerge => mergeDocuments(base, local, remote),
};

/** What a thread is told to do. */
export type LongWork = { compare: CompareOrder } | { merge: MergeOrder };
