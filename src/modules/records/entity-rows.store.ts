import type { Kysely } from 'kysely';
import type { Dialect, SearchRow } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { createCountDelta } from './counts.store.ts';
import type { EntityRow, RecordTables } from './records.tables.ts';
import { TEMPLATE_ROW_TYPE } from './records.tables.ts';
import { type EntityStamp, type EntityState, entityJson } from './render.ts';
import { keepRevisions } from './revisions.store.ts';
import { type Project, rowIdOf, scopeColumns, searchScopes } from './scope.ts';

/** A state to be stored, over the row it replaces (null: it is new). */
export interface EntityWrite {
  state: EntityState;
  stamp: EntityStamp;
  changed: readonly string[];
  previous: EntityRow | null;
  /** Set when an entity comes back under the row id it had; new ones are numbered by `seq`. */
  rowId?: number;
}

const ENTITY_COLUMNS = [
  'entity_type',
  'entity_id',
  'name',
  'name_key',
  'status',
  'version',
  'seq',
  'is_valid',
  'updated_at',
  'updated_by',
  'source',
  'changed',
  'checksum',
  'file_checksum',
  'path',
] as const;

export const sortKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

function rowOf(project: Project, write: EntityWrite, seq: number): EntityRow {
  const { state, stamp, previous } = write;
  return {
    row_id: previous?.row_id ?? write.rowId ?? rowIdOf(project.number, seq),
    ...scopeColumns(project),
    entity_type: state.entity_type,
    entity_id: state.entity_id,
    name: state.name,
    name_key: sortKeyOf(state.name),
    status: state.status,
    version: stamp.version,
    seq,
    is_valid: state.is_valid ? 1 : 0,
    created_at: stamp.created_at,
    updated_at: stamp.updated_at,
    updated_by: stamp.updated_by,
    source: stamp.source,
    changed: JSON.stringify(write.changed),
    checksum: state.checksum,
    file_checksum: state.file_checksum,
    path: state.path,
  };
}

const searchRowOf = (project: Project, row: EntityRow, state: EntityState): SearchRow => ({
  row_id: row.row_id,
  scopes: row.entity_type === TEMPLATE_ROW_TYPE ? [] : searchScopes(project.number, row.entity_type),
  ...state.search,
});

/**
 * Stores new states, each under the next sequence number from `firstSeq`: superseded ones go to the revisions; the
 * search index and the counts follow. Returns the rows as stored, in the same order.
 */
export async function putEntities(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  project: Project,
  writes: readonly EntityWrite[],
  firstSeq: number,
): Promise<EntityRow[]> {
  const replaced = writes.flatMap((write) => write.previous ?? []);
  await keepRevisions(db, dialect, replaced);
  const rows = writes.map((write, index) => rowOf(project, write, firstSeq + index));
  await dialect.upsert(db, 'entities', rows, { conflict: ['row_id'], update: ENTITY_COLUMNS });
  await storeDocuments(db, dialect, rows, writes);
  await dialect.fullText.remove(
    db,
    replaced.map((row) => row.row_id),
  );
  await dialect.fullText.put(
    db,
    rows.flatMap((row, index) => {
      const state = writes[index]?.state;
      return state ? [searchRowOf(project, row, state)] : [];
    }),
  );
  const counts = createCountDelta();
  for (const { state, previous } of writes) {
    if (previous) counts.add(previous.entity_type, previous.status, -1);
    counts.add(state.entity_type, state.status, 1);
  }
  await counts.apply(db, project);
  return rows;
}

const storeDocuments = (
  db: Kysely<RecordTables>,
  dialect: Dialect,
  rows: readonly EntityRow[],
  writes: readonly EntityWrite[],
): Promise<void> =>
  dialect.upsert(
    db,
    'entity_documents',
    rows.flatMap((row, index) => {
      const write = writes[index];
      return write
        ? [{ row_id: row.row_id, json: entityJson(write.state, write.stamp), head: write.state.head }]
        : [];
    }),
    { conflict: ['row_id'], update: ['json', 'head'] },
  );

/**
 * Stores how an unchanged file reads under a changed template: reply, validity and search follow, the version stays.
 */
export async function rerenderEntities(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  project: Project,
  items: readonly { state: EntityState; row: EntityRow }[],
): Promise<void> {
  const writes = items.map(({ state, row }) => ({ state, stamp: row, changed: [], previous: row }));
  const rows = items.map(({ state, row }) => ({
    ...row,
    name: state.name,
    name_key: sortKeyOf(state.name),
    status: state.status,
    is_valid: state.is_valid ? 1 : 0,
    checksum: state.checksum,
  }));
  await dialect.upsert(db, 'entities', rows, { conflict: ['row_id'], update: ENTITY_COLUMNS });
  await storeDocuments(db, dialect, rows, writes);
  await dialect.fullText.remove(
    db,
    rows.map((row) => row.row_id),
  );
  await dialect.fullText.put(
    db,
    items.map(({ state, row }) => searchRowOf(project, row, state)),
  );
  const counts = createCountDelta();
  for (const { state, row } of items) {
    counts.add(row.entity_type, row.status, -1);
    counts.add(row.entity_type, state.status, 1);
  }
  await counts.apply(db, project);
}

/** Takes live rows away, with document, search entry and count. Their last states join the revisions, which stay for a return. */
export async function removeEntities(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  project: Project,
  rows: readonly EntityRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await keepRevisions(db, dialect, rows);
  const ids = rows.map((row) => row.row_id);
  await dialect.fullText.remove(db, ids);
  await db.deleteFrom('entity_documents').where('row_id', 'in', ids).execute();
  const removed = await db
    .deleteFrom('entities')
    .where('row_id', 'in', ids)
    .returning(['entity_type', 'status'])
    .execute();
  const counts = createCountDelta();
  for (const row of removed) counts.add(row.entity_type, row.status, -1);
  await counts.apply(db, project);
}

type EntityKey = Pick<EntityRow, 'tenant_id' | 'project_id' | 'entity_type' | 'entity_id'>;

const rowByKey = prepared((db: Kysely<RecordTables>, key: EntityKey) =>
  db
    .selectFrom('entities')
    .selectAll()
    .where('tenant_id', '=', key.tenant_id)
    .where('project_id', '=', key.project_id)
    .where('entity_type', '=', key.entity_type)
    .where('entity_id', '=', key.entity_id),
);

/** The row of a live entity, or undefined. */
export const findEntityRow = async (
  db: Kysely<RecordTables>,
  project: Project,
  entityType: string,
  entityId: string,
): Promise<EntityRow | undefined> => {
  const key = { ...scopeColumns(project), entity_type: entityType, entity_id: entityId };
  return (await rowByKey(db, key))[0];
};

/** The rows of live entities by their ids within one type. */
export const findEntityRows = (
  db: Kysely<RecordTables>,
  project: Project,
  entityType: string,
  entityIds: readonly string[],
): Promise<EntityRow[]> =>
  db
    .selectFrom('entities')
    .selectAll()
    .where('tenant_id', '=', project.tenantId)
    .where('project_id', '=', project.projectId)
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', entityIds)
    .execute();

/** The exact text of the file that a live row mirrors. */
export async function storedFileText(db: Kysely<RecordTables>, rowId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('entity_documents')
    .select(['json', 'head'])
    .where('row_id', '=', rowId)
    .executeTakeFirst();
  return row && fileTextOf(row);
}

export const fileTextOf = (document: { json: string; head: string }): string =>
  document.head + (JSON.parse(document.json) as { markdown_body: string }).markdown_body;
