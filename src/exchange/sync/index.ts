export { isMoved } from './changes.ts';
export { checksumText, digitsOf } from './checksums.ts';
export { entityKey, fileKey, namedKey } from './keys.ts';
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
export type { SyncResult, SyncStatus } from './sync.contract.ts';
export { createSync, type SyncOptions } from './sync.service.ts';
export { syncMigrations } from './sync.tables.ts';
export type { Sync, SyncLink } from './sync.ts';
