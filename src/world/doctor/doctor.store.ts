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

/** An entity's row with its wide half, which may be missing, and its edges. */
export type StoredEntity = EntityRow & {
  [Column in 'json' | 'head']: EntityDocumentsTable[Column] | null;
} & { edges: readonly StoredReference[] };

/** What is kept of a project itself; undefined before its first sync. */
export const findProject = (db: RecordsDb, { tenantId, projectId }: Scope) =>
  db
    .selectFrom('projects')
    .select(['number', 'brake'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();

/** Entities of one type by their ids. */
export async function findStoredEntities(
  db: RecordsDb,
  { tenantId, projectId }: Scope,
  entityType: string,
  entityIds: readonly string[],
): Promise<StoredEntity[]> {
  const rows = await db
    .selectFrom('entities')
    .leftJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .selectAll('entities')
    .select(['entity_documents.json', 'entity_documents.head'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', entityIds)
    .execute();
  const edges = await storedReferences(
    db,
    rows.map((row) => row.row_id),
  );
  return rows.map((row) => ({ ...row, edges: edges.get(row.row_id) ?? [] }));
}

/** All rows of one type. */
export const findRowsOfType = (db: RecordsDb, { tenantId, projectId }: Scope, entityType: string) =>
  db
    .selectFrom('entities')
    .select(['entity_id', 'path', 'file_checksum'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('entity_type', '=', entityType)
    .execute();

/** A page of entity rows, in the order of their row ids. */
export const pageOfEntities = (db: RecordsDb, { tenantId, projectId }: Scope, after: number, limit: number) =>
  db
    .selectFrom('entities')
    .select(['row_id', 'entity_type', 'entity_id', 'path', 'version', 'file_checksum', 'status'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('row_id', '>', after)
    .orderBy('row_id')
    .limit(limit)
    .execute();

/** A page of the paths of live file rows, in their order. */
export const pageOfLiveFiles = (
  db: RecordsDb,
  { tenantId, projectId }: Scope,
  after: string,
  limit: number,
) =>
  db
    .selectFrom('files')
    .select('path')
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('path', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('path')
    .limit(limit)
    .execute();

/** How many superseded states each row id of a project has, and the last of them. */
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

/** Row ids of a project's documents that belong to no entity. */
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

/** The totals as they are kept, those of zero left out. */
export const keptCounts = (db: RecordsDb, { tenantId, projectId }: Scope) =>
  db
    .selectFrom('entity_counts')
    .select(['entity_type', 'status', 'total'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('total', '<>', 0)
    .execute();

/** Puts totals in the place of those that are kept. */
export async function replaceCounts(
  db: RecordsDb,
  scope: Scope,
  counts: readonly { entity_type: string; status: string; total: number }[],
): Promise<void> {
  await db
    .deleteFrom('entity_counts')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .execute();
  for (const count of counts)
    await db
      .insertInto('entity_counts')
      .values({ ...scopeColumns(scope), ...count })
      .execute();
}

/** What lies in the recycle bin, as far as its folders are concerned. */
export const recycledItems = (db: RecordsDb, { tenantId, projectId }: Scope) =>
  db
    .selectFrom('recycle_items')
    .select(['item_id', 'entity_type', 'entity_id', 'folder'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .execute();

export const forgetRecycledFolder = (db: RecordsDb, { tenantId, projectId }: Scope, itemId: string) =>
  db
    .updateTable('recycle_items')
    .set({ folder: null })
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('item_id', '=', itemId)
    .execute();

export const deleteDocuments = (db: RecordsDb, rowIds: readonly number[]) =>
  db.deleteFrom('entity_documents').where('row_id', 'in', rowIds).execute();
