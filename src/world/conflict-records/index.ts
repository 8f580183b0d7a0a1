export { findConflictRow, listConflictIds, markResolved } from './conflicts.store.ts';
export type { ConflictDb, ConflictRow, ConflictSide, Resolution } from './conflicts.tables.ts';
