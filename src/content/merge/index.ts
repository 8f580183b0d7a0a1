export { countChangedLines } from './changed-lines.ts';
export { type DocumentMerge, mergeDocuments, type Settled } from './document.ts';
export { hunksOf } from './hunks.ts';
export { mergeText, type TextConflict, type TextMerge } from './text.ts';
export type { MergeConflict } from './values.ts';
