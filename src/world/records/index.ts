export { changeEntities } from './change-entities.ts';
export { changedFiles, putFeedCursor, readFeed } from './change-feed.store.ts';
export { countAllEntities, countEntities, countTenantEntities, typesWithEntities } from './counts.store.ts';
export {
  bucketGroups,
  bucketsOf,
  countIncoming,
  countOutgoing,
  type Edge,
  type EdgeKey,
  type EntityName,
  type EntityNode,
  type EntityTarget,
  edgesOf,
  findByPlainId,
  incomingEdges,
  isAfter,
  outgoingEdges,
} from './edges.store.ts';
export {
  type EntityWrite,
  entityRowOf,
  findEntityFolderRow,
  findEntityRow,
  findEntityRows,
  findRowById,
  putEntities,
  removeEntities,
  rerenderEntities,
  type StoredEntity,
  sortKeyOf,
  statusKeyOf,
  storedFileText,
  storeValidity,
} from './entity-rows.store.ts';
export { eventsAfter, forgetEvents, type LoggedEvent, logEnd, logEvent } from './events.store.ts';
export {
  type FaultyRow,
  listFaultyFiles,
  noteValidity,
  type RowlessFile,
  rowlessFaultyFiles,
  storeFaults,
} from './file-faults.store.ts';
export { type FileProblem, faultOf, faultyState, readProblem, unreadableFile } from './file-faults.ts';
export {
  buryFiles,
  entityFilesIn,
  type FileChange,
  type FileRow,
  fileChangesAt,
  fileChangesSince,
  findFiles,
  findFilesBelow,
  hasFiles,
  isAsKnown,
  problemFileChanges,
  putFiles,
  recordOf,
  touchAssetsIn,
} from './files.store.ts';
export {
  chainBefore,
  crowdedHistories,
  LONGEST_CHAIN,
  type PackedVersion,
  plainVersions,
  storePacked,
} from './history.store.ts';
export { type RevisionInfo, readRevision } from './history.ts';
export { packText, unpackText } from './history-codec.ts';
export { compareTexts, mergeTexts } from './long-texts.ts';
export { missingEntity, NO_SUCH_ENTITY } from './missing-entity.ts';
export { findOrphans } from './orphans.store.ts';
export { createOwnWrites } from './own-writes.ts';
export { pages } from './pages.ts';
export { answerQuestions } from './questions.store.ts';
export {
  type EntityDocumentsTable,
  type EntityRow,
  type ProjectsTable,
  type RecordsDb,
  type RecordTables,
  recordMigrations,
  TEMPLATE_ROW_TYPE,
} from './records.tables.ts';
export {
  countRecycleItems,
  deleteRecycleItem,
  findLastLife,
  findRecycledLife,
  findRecycleItem,
  insertRecycleItem,
  listRecycleItems,
  type RecycleRow,
  recycledAmong,
} from './recycle.store.ts';
export { mirrorsReferences, type StoredReference, storedReferences } from './references.store.ts';
export { doubtfulReferrerIds, findReferrers, referrerIds, type StoredReferrer } from './referrers.store.ts';
export { CLOCK_SLACK_MS, issuedPosition, issueTime } from './resume-times.store.ts';
export {
  countRevisions,
  deleteRevisions,
  hasOrHad,
  hasRevisionWith,
  insertUnreadableText,
  keepLostText,
  keepRevisions,
  keepUnreadableText,
  listRevisions,
  newestRevisionWith,
  revisionsBefore,
} from './revisions.store.ts';
export {
  keyOfProject,
  type Project,
  projectScope,
  ROW_IDS_PER_PROJECT,
  rowIdOf,
  type Scope,
  scopeColumns,
  typeScope,
} from './scope.ts';
export { lastSequence, takeSequence } from './sequence.store.ts';
export type { HeldRoom, StorageRoom } from './storage-room.ts';
