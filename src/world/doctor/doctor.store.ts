import { inProject } from '../../platform/database/scoped.ts';
import {
  type EntityDocumentsTable,
  type EntityRow,
  type Project,
  type RecordsDb,
  rowIdOf,
  type Scope,
  type StoredReference,
  scopeColumns,
  storedReferences,
} from '../records/index.ts';

/** An entity's row with its edges and its wide half, which may be missing. */
export type StoredEntity = EntityRow & {
  [Column in 'json' | 'head']: EntityDocumentsTable[Column] | null;
} & { edges: readonly StoredReference[] };

export const findProject = (db: RecordsDb, scope: Scope) =>
  inProject(db, scope).selectFrom('projects').select(['number', 'brake']).executeTakeFirst();

export async function findStoredEntities(
  db: RecordsDb,
  scope: Scope,
  entityType: string,
  entityIds: readonly string[],
): Promise<StoredEntity[]> {
  const rows = await inProject(db, scope)
    .selectFrom('entities')
    .leftJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .selectAll('entities')
    .select(['entity_documents.json', 'entity_documents.head'])
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', entityIds)
    .execute();
  const edges = await storedReferences(
    db,
    rows.map((row) => row.row_id),
  );
  return rows.map((row) => ({ ...row, edges: edges.get(row.row_id) ?? [] }));
}

export const findRowsOfType = (db: RecordsDb, scope: Scope, entityType: string) =>
  inProject(db, scope)
    .selectFrom('entities')
    .select(['entity_id', 'path', 'file_checksum'])
    .where('entity_type', '=', entityType)
    .execute();

export const pageOfEntities = (db: RecordsDb, scope: Scope, after: number, limit: number) =>
  inProject(db, scope)
    .selectFrom('entities')
    .select(['row_id', 'entity_type', 'entity_id', 'path', 'version', 'file_checksum', 'status'])
    .where('row_id', '>', after)
    .orderBy('row_id')
    .limit(limit)
    .execute();

export const pageOfLiveFiles = (db: RecordsDb, scope: Scope, after: string, limit: number) =>
  inProject(db, scope)
    .selectFrom('files')
    .select('path')
    .where('path', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('path')
    .limit(limit)
    .execute();

/** The number of superseded states of each row id in a project, and the last one's version. */
export const revisionTotals = (db: RecordsDb, project: Project) =>
  db
    .selectFrom('entity_revisions')
    .select((eb) => [
      'row_id',
      eb.fn.countAll<number>().as('total'),
      eb.fn.min('version').as('first'),
      eb.fn.max('version').as('last'),
    ])
    .where('row_id', '>=', rowIdOf(project.number, 0))
    .where('row_id', '<', rowIdOf(project.number + 1, 0))
    .groupBy('row_id')
    .execute();

/** Row ids of documents in a project that have no entity. */
export async function orphanDocuments(db: RecordsDb, project: Project): Promise<number[]> {
  const rows = await db
    .selectFrom('entity_documents')
    .leftJoin('entities', 'entities.row_id', 'entity_documents.row_id')
    .select('entity_documents.row_id')
    .where('entities.row_id', 'is', null)
    .where('entity_documents.row_id', '>=', rowIdOf(project.number, 0))
    .where('entity_documents.row_id', '<', rowIdOf(project.number + 1, 0))
    .execute();
  return rows.map((row) => row.row_id);
}

export const keptCounts = (db: RecordsDb, scope: Scope) =>
  inProject(db, scope)
    .selectFrom('entity_counts')
    .select(['entity_type', 'status', 'total'])
    .where('total', '<>', 0)
    .execute();

export async function replaceCounts(
  db: RecordsDb,
  scope: Scope,
  counts: readonly { entity_type: string; status: string; total: number }[],
): Promise<void> {
  await inProject(db, scope).deleteFrom('entity_counts').execute();
  for (const count of counts)
    await db
      .insertInto('entity_counts')
      .values({ ...scopeColumns(scope), ...count })
      .execute();
}

export const recycledItems = (db: RecordsDb, scope: Scope) =>
  inProject(db, scope)
    .selectFrom('recycle_items')
    .select(['item_id', 'entity_type', 'entity_id', 'folder'])
    .execute();

export const forgetRecycledFolder = (db: RecordsDb, scope: Scope, itemId: string) =>
  inProject(db, scope)
    .updateTable('recycle_items')
    .set({ folder: null })
    .where('item_id', '=', itemId)
    .execute();

export const deleteDocuments = (db: RecordsDb, rowIds: readonly number[]) =>
  db.deleteFrom('entity_documents').where('row_id', 'in', rowIds).execute();
