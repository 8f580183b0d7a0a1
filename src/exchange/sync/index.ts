export { agreedStates } from './agreed-states.ts';
export { isMoved } from './changes.ts';
export { checksumText, digitsOf } from './checksums.ts';
export { countSynced } from './items.store.ts';
export { entityKey, fileKey, isEntityKey, namedKey, type SyncKey } from './keys.ts';
export { findFilesOf } from './local.store.ts';
export { hasUnnoted } from './note-changes.ts';
export {
  type Change,
  type ChangePage,
  NOT_LINKED,
  type Outcome,
  type RemoteItem,
  type Replica,
  type ReplicaConflicts,
  ReplicaError,
  type ReplicaErrorCode,
} from './replica.ts';
export { keepUnlisted } from './restored-replica.ts';
export { aloneInRound } from './round.ts';
export { pauseAfter } from './schedule.ts';
export type { SyncError, SyncResult, SyncStatus } from './sync.contract.ts';
export { createSync, type SyncOptions } from './sync.service.ts';
export { type SyncDb, syncMigrations } from './sync.tables.ts';
export type { Sync, SyncLink } from './sync.ts';
export { type ReplicaName, syncedProject } from './synced-project.ts';
