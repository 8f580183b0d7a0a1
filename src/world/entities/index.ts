export type { Author } from './author.ts';
export type { BeforeChange, PlannedChange, Replacement } from './before-hooks.ts';
export type { Edit } from './change.service.ts';
export { changedParts } from './changed-parts.ts';
export { type DraftInput, draftState } from './draft-state.ts';
export { entitiesModule } from './entities.module.ts';
export type { Entities } from './entities.service.ts';
export { documentsOf } from './entities.store.ts';
export { type Origin, overtaken } from './entity-commit.ts';
export {
  editEntity,
  requireName,
  requireUpdate,
  type UpdateInput,
  written,
} from './entity-edit.ts';
export { requireSize } from './entity-files.ts';
export { entityLock } from './entity-lock.ts';
export { moveEntity, presentStage } from './entity-move.ts';
export { requireText } from './entity-text.ts';
export { etagOf } from './etag.ts';
export { filtersOf } from './filters.ts';
export {
  entitiesOf,
  followDeletions,
  type ImportOptions,
  type ImportOutcome,
  importFiles,
} from './import.service.ts';
export type { MoveMany, PlannedMove } from './move-many.service.ts';
export { placesOfId } from './move-places.ts';
export { idsOf } from './new-id.ts';
export { type ReconciledFile, reconcileFile } from './reconcile-file.ts';
export type { RecycleBin } from './recycle.service.ts';
export { binOfFile, folderOf, recycleRowOf } from './recycle-item.ts';
export type { ReferenceChecks } from './reference-checks.ts';
export { ready, readyJson } from './replies.ts';
export type { TextWrite } from './text-write.ts';
export { contentOf, loadVersion, type Version, type VersionInfo } from './versions.ts';
export { writeBatches } from './write-batches.ts';
export type { WriteMany } from './write-many.service.ts';
