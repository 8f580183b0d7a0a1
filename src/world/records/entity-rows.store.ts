import type { Kysely } from 'kysely';
import type { Dialect, SearchRow } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import { type EntityStamp, type EntityState, entityJson, fileTextOf } from '../texts/index.ts';
import { type EntityChange, type EntityTransaction, noteChanges } from './change-entities.ts';
import { createCountDelta } from './counts.store.ts';
import { answerQuestions } from './questions.store.ts';
import type { EntityRow, RecordTables } from './records.tables.ts';
import { TEMPLATE_ROW_TYPE } from './records.tables.ts';
import { putReferences, removeReferences } from './references.store.ts';
import { keepRevisions } from './revisions.store.ts';
import { type Project, rowIdOf, scopeColumns, searchScopes } from './scope.ts';

/** A state to store, and the row that it replaces (null for a new entity). */
export interface EntityWrite {
  state: EntityState;
  stamp: EntityStamp;
  changed: readonly string[];
  previous: EntityRow | null;
  previousText?: string;
  /** Set for an entity that returns under its former row id; new row ids come from `seq`. */
  rowId?: number;
  isRestored?: boolean;
}

export interface StoredEntity {
  row: EntityRow;
  json: string;
}

const STATE_COLUMNS = [
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
  'operation_id',
  'via',
] as const;
const ENTITY_COLUMNS = ['entity_type', 'entity_id', ...STATE_COLUMNS] as const;

export const sortKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Characters of a status in its column and in the totals: files may hold any text, and indexes cannot hold long ones. */
const LONGEST_STATUS = 100;

/** The status as rows and totals have it; the reply has the full one. */
export const statusKeyOf = (status: string): string =>
  status.length <= LONGEST_STATUS ? status : Array.from(status).slice(0, LONGEST_STATUS).join('');

export function entityRowOf(project: Project, write: EntityWrite, seq: number): EntityRow {
  const { state, stamp, previous } = write;
  return {
    row_id: previous?.row_id ?? write.rowId ?? rowIdOf(project.number, seq),
    ...scopeColumns(project),
    entity_type: state.entity_type,
    entity_id: state.entity_id,
    name: state.name,
    name_key: sortKeyOf(state.name),
    status: statusKeyOf(state.status),
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
    operation_id: stamp.operation_id ?? null,
    via: stamp.via ?? null,
  };
}

const searchRowOf = (
  project: Project,
  row: EntityRow,
  { state, previous }: Pick<EntityWrite, 'state' | 'previous'>,
): SearchRow => ({
  row_id: row.row_id,
  scopes: row.entity_type === TEMPLATE_ROW_TYPE ? [] : searchScopes(project.number, row.entity_type),
  ...state.search,
  isNew: previous === null,
});

/**
 * Stores new states under sequence numbers from `firstSeq`, with revisions, search index, counts and answered questions. Returns the
 * stored entities in the same order.
 */
export async function putEntities(
  transaction: EntityTransaction,
  given: readonly EntityWrite[],
  firstSeq: number,
): Promise<StoredEntity[]> {
  const { db, project } = transaction;
  const { dialect } = project.database;
  const replaced = given.flatMap((write) => write.previous ?? []);
  const writes = await withAnswers(db, project, given, replaced);
  await keepRevisions(
    db,
    dialect,
    writes.flatMap(({ previous, previousText }) => (previous ? [{ row: previous, text: previousText }] : [])),
  );
  const rows = writes.map((write, index) => entityRowOf(project, write, firstSeq + index));
  // An update rewrites the indexes of every column that it names, changed or not.
  const update = writes.every(keepsName) ? STATE_COLUMNS : ENTITY_COLUMNS;
  await dialect.upsert(db, 'entities', rows, { conflict: ['row_id'], update });
  const documents = await storeDocuments(db, dialect, rows, writes);
  await putReferences(
    db,
    dialect,
    writes.flatMap(({ state, previous }, index) => {
      const row = rows[index];
      return row ? [{ rowId: row.row_id, references: state.references, isNew: previous === null }] : [];
    }),
  );
  await dialect.fullText.put(
    db,
    rows.flatMap((row, index) => {
      const write = writes[index];
      return write ? [searchRowOf(project, row, write)] : [];
    }),
  );
  const counts = createCountDelta();
  for (const { state, previous } of writes) {
    if (previous) counts.add(previous.entity_type, previous.status, -1);
    counts.add(state.entity_type, statusKeyOf(state.status), 1);
  }
  await counts.apply(db, project);
  noteChanges(transaction, changesOf(rows, writes));
  return rows.map((row, index) => ({ row, json: documents[index]?.json ?? '' }));
}

/** A renamed entity is a new one to clients, and the old one is deleted. */
function changesOf(rows: readonly EntityRow[], writes: readonly EntityWrite[]): EntityChange[] {
  const changes = rows.flatMap((row, index): EntityChange[] => {
    const write = writes[index];
    if (write === undefined) return [];
    const { seq, entity_type, entity_id, updated_by, version, checksum } = row;
    return [
      {
        seq,
        entity_type,
        entity_id,
        action: actionOf(write),
        updated_fields: write.changed,
        updated_by,
        version,
        checksum,
      },
    ];
  });
  const left = writes.filter(isRename).flatMap(({ previous, stamp }) => {
    return previous ? deletionOf(previous, stamp.updated_by) : [];
  });
  return [...changes, ...left];
}

const deletionOf = ({ entity_type, entity_id }: EntityRow, actor: string | null): EntityChange => ({
  seq: null,
  entity_type,
  entity_id,
  action: 'delete',
  updated_fields: [],
  updated_by: actor,
});

const isRename = ({ previous, state }: EntityWrite): boolean =>
  previous !== null && previous.entity_id !== state.entity_id;

const keepsName = ({ previous, state }: EntityWrite): boolean =>
  previous === null || (previous.entity_type === state.entity_type && previous.entity_id === state.entity_id);

function actionOf(write: EntityWrite): EntityChange['action'] {
  if (write.isRestored || write.rowId !== undefined) return 'restore';
  return write.previous === null || isRename(write) ? 'create' : 'update';
}

async function withAnswers<Item extends { state: EntityState }>(
  db: Kysely<RecordTables>,
  project: Project,
  items: readonly Item[],
  replaced: readonly EntityRow[] = [],
): Promise<Item[]> {
  const states = await answerQuestions(
    db,
    project,
    items.map(({ state }) => state),
    replaced,
  );
  return items.map((item, index) => ({ ...item, state: states[index] ?? item.state }));
}

async function storeDocuments(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  rows: readonly EntityRow[],
  writes: readonly EntityWrite[],
): Promise<{ json: string }[]> {
  const documents = rows.flatMap((row, index) => {
    const write = writes[index];
    return write
      ? [{ row_id: row.row_id, json: entityJson(write.state, write.stamp), head: write.state.head }]
      : [];
  });
  const update = ['json', 'head'];
  await dialect.upsert(db, 'entity_documents', documents, { conflict: ['row_id'], update });
  return documents;
}

/** Stores the rendering of unchanged files under a changed template: reply, validity and search change, the version stays. */
export async function rerenderEntities(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  project: Project,
  given: readonly { state: EntityState; row: EntityRow }[],
): Promise<void> {
  const items = await withAnswers(db, project, given);
  const writes = items.map(({ state, row }) => ({ state, stamp: row, changed: [], previous: row }));
  const rows = items.map(({ state, row }) => ({
    ...row,
    name: state.name,
    name_key: sortKeyOf(state.name),
    status: statusKeyOf(state.status),
    is_valid: state.is_valid ? 1 : 0,
    checksum: state.checksum,
  }));
  await dialect.upsert(db, 'entities', rows, { conflict: ['row_id'], update: STATE_COLUMNS });
  await storeDocuments(db, dialect, rows, writes);
  await putReferences(
    db,
    dialect,
    items.map(({ state, row }) => ({ rowId: row.row_id, references: state.references, isNew: false })),
  );
  await dialect.fullText.put(
    db,
    items.map(({ state, row }) => searchRowOf(project, row, { state, previous: row })),
  );
  const counts = createCountDelta();
  for (const { state, row } of items) {
    counts.add(row.entity_type, row.status, -1);
    counts.add(row.entity_type, statusKeyOf(state.status), 1);
  }
  await counts.apply(db, project);
}

/** Stores the validity of states in reply and row; nothing else of them has changed. */
export async function storeValidity(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  items: readonly { state: EntityState; row: EntityRow }[],
): Promise<void> {
  const rows = items.map(({ state, row }) => ({ ...row, is_valid: state.is_valid ? 1 : 0 }));
  await dialect.upsert(db, 'entities', rows, { conflict: ['row_id'], update: ['is_valid'] });
  const writes = items.map(({ state, row }) => ({ state, stamp: row, changed: [], previous: row }));
  await storeDocuments(db, dialect, rows, writes);
}

/** Removes live rows with document, search entry and count. Their last states stay in the revisions for a return. */
export async function removeEntities(
  transaction: EntityTransaction,
  rows: readonly EntityRow[],
  actor: string | null,
): Promise<void> {
  if (rows.length === 0) return;
  const { db, project } = transaction;
  const { dialect } = project.database;
  await keepRevisions(
    db,
    dialect,
    rows.map((row) => ({ row })),
  );
  const ids = rows.map((row) => row.row_id);
  await dialect.fullText.remove(db, ids);
  await db.deleteFrom('entity_documents').where('row_id', 'in', ids).execute();
  await removeReferences(db, ids);
  const removed = await db
    .deleteFrom('entities')
    .where('row_id', 'in', ids)
    .returning(['entity_type', 'status'])
    .execute();
  const counts = createCountDelta();
  for (const row of removed) counts.add(row.entity_type, row.status, -1);
  await counts.apply(db, project);
  noteChanges(
    transaction,
    rows.map((row) => deletionOf(row, actor)),
  );
}

type EntityKey = Pick<EntityRow, 'tenant_id' | 'project_id' | 'entity_type' | 'entity_id'>;

const rowByKey = prepared((db: Kysely<RecordTables>, key: EntityKey) =>
  inProject(db, scopeOf(key))
    .selectFrom('entities')
    .select(['row_id', 'tenant_id', 'project_id', 'created_at', ...ENTITY_COLUMNS])
    .where('entity_type', '=', key.entity_type)
    .where('entity_id', '=', key.entity_id),
);

export const findRowById = (db: Kysely<RecordTables>, project: Project, rowId: number) =>
  inProject(db, project).selectFrom('entities').selectAll().where('row_id', '=', rowId).executeTakeFirst();

export const findEntityRow = async (
  db: Kysely<RecordTables>,
  project: Project,
  entityType: string,
  entityId: string,
): Promise<EntityRow | undefined> => {
  const key = { ...scopeColumns(project), entity_type: entityType, entity_id: entityId };
  return (await rowByKey(db, key))[0];
};

export async function findEntityFolderRow(
  db: Kysely<RecordTables>,
  project: Project,
  folder: string,
): Promise<EntityRow | undefined> {
  const rows = await inProject(db, project)
    .selectFrom('files')
    .innerJoin('entities', (join) =>
      join
        .onRef('entities.tenant_id', '=', 'files.tenant_id')
        .onRef('entities.project_id', '=', 'files.project_id')
        .onRef('entities.entity_type', '=', 'files.entity_type')
        .onRef('entities.entity_id', '=', 'files.entity_id')
        .onRef('entities.path', '=', 'files.path'),
    )
    .selectAll('entities')
    .where('files.path', '>=', `${folder}/`)
    .where('files.path', '<', `${folder}0`)
    .where('files.deleted_at', 'is', null)
    .limit(1)
    .execute();
  return rows[0];
}

export const findEntityRows = (
  db: Kysely<RecordTables>,
  project: Project,
  entityType: string,
  entityIds: readonly string[],
): Promise<EntityRow[]> =>
  inProject(db, project)
    .selectFrom('entities')
    .selectAll()
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', entityIds)
    .execute();

export async function storedFileText(db: Kysely<RecordTables>, rowId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('entity_documents')
    .select(['json', 'head'])
    .where('row_id', '=', rowId)
    .executeTakeFirst();
  return row && fileTextOf(row);
}
