export type { NoteConflictCopy } from './conflict-copies.ts';
export type { ConflictFiles } from './conflict-files.ts';
export { conflictRecordsModule } from './conflict-records.module.ts';
export { asSeen, type ConflictRecords, sideOfRow } from './conflict-records.ts';
export { findConflictRow, listConflictIds, markResolved } from './conflicts.store.ts';
export type { ConflictDb, ConflictRow, ConflictSide, Resolution } from './conflicts.tables.ts';
export { contentOfText } from './content-of-text.ts';
export { discardCopy } from './discard-copy.ts';
export type { LaterSave } from './earlier-tries.ts';
