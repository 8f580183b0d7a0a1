import type { Kysely, Selectable } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import { fileTextOf, withVersion } from '../texts/index.ts';
import type { EntityRevisionsTable, EntityRow, RecordTables } from './records.tables.ts';

export type RevisionRow = Selectable<EntityRevisionsTable>;

const documentOf = prepared((db: Kysely<RecordTables>, values: { row_id: number }) =>
  db.selectFrom('entity_documents').select(['row_id', 'json', 'head']).where('row_id', '=', values.row_id),
);

/** A save reads a single document, and a prepared query saves the time to build one. */
const documentsOf = (db: Kysely<RecordTables>, rowIds: readonly number[]) =>
  rowIds.length === 1 && rowIds[0] !== undefined
    ? documentOf(db, { row_id: rowIds[0] })
    : db
        .selectFrom('entity_documents')
        .select(['row_id', 'json', 'head'])
        .where('row_id', 'in', rowIds)
        .execute();

async function textsOf(db: Kysely<RecordTables>, rowIds: readonly number[]): Promise<Map<number, string>> {
  if (rowIds.length === 0) return new Map();
  const documents = await documentsOf(db, rowIds);
  return new Map(documents.map((document) => [document.row_id, fileTextOf(document)]));
}

export interface ReplacedRow {
  row: EntityRow;
  /** The text that the row mirrors, if the caller has it; saves a read. */
  text?: string | undefined;
}

/** Keeps the present states of rows that are about to be replaced. */
export async function keepRevisions(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  replaced: readonly ReplacedRow[],
): Promise<void> {
  if (replaced.length === 0) return;
  const unread = replaced.filter(({ text }) => text === undefined).map(({ row }) => row.row_id);
  const stored = await textsOf(db, unread);
  const revisions = replaced.flatMap(({ row, text = stored.get(row.row_id) }) =>
    text === undefined ? [] : [revisionOf(row, text)],
  );
  await dialect.upsert(db, 'entity_revisions', revisions, { conflict: ['row_id', 'version'], update: [] });
}

function revisionOf(row: EntityRow, content: string): Omit<RevisionRow, 'packed' | 'delta_of' | 'parent'> {
  return {
    row_id: row.row_id,
    version: row.version,
    tenant_id: row.tenant_id,
    entity_id: row.entity_id,
    path: row.path,
    name: row.name,
    status: row.status,
    checksum: row.checksum,
    file_checksum: row.file_checksum,
    content,
    source: row.source,
    changed: row.changed,
    created_at: row.updated_at,
    created_by: row.updated_by,
    operation_id: row.operation_id,
    via: row.via,
  };
}

const REVISION_INFO = [
  'version',
  'name',
  'status',
  'checksum',
  'file_checksum',
  'source',
  'changed',
  'created_at',
  'created_by',
  'operation_id',
  'via',
  'parent',
] as const;

export const listRevisions = (
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  limit: number,
  offset: number,
) =>
  inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select(REVISION_INFO)
    .where('row_id', '=', rowId)
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** Newest first. */
export const revisionsBefore = (
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  version: number,
  limit: number,
) =>
  inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select(REVISION_INFO)
    .where('row_id', '=', rowId)
    .where('version', '<', version)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();

/** True if a superseded version has exactly the bytes of this checksum. */
export const hasRevisionWith = async (
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  fileChecksum: string,
): Promise<boolean> => (await newestRevisionWith(db, tenantId, rowId, fileChecksum)) !== undefined;

/** True if the entity has, or had, exactly these bytes. */
export const hasOrHad = async (
  db: Kysely<RecordTables>,
  row: Pick<EntityRow, 'tenant_id' | 'row_id' | 'file_checksum'>,
  fileChecksum: string,
): Promise<boolean> =>
  row.file_checksum === fileChecksum || hasRevisionWith(db, row.tenant_id, row.row_id, fileChecksum);

export async function newestRevisionWith(
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  fileChecksum: string,
): Promise<number | undefined> {
  const row = await inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select('version')
    .where('row_id', '=', rowId)
    .where('file_checksum', '=', fileChecksum)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version;
}

export const deleteRevisions = (db: Kysely<RecordTables>, tenantId: string, rowIds: readonly number[]) =>
  inTenant(db, tenantId).deleteFrom('entity_revisions').where('row_id', 'in', rowIds).execute();

export async function countRevisions(
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
): Promise<number> {
  const row = await inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('row_id', '=', rowId)
    .executeTakeFirstOrThrow();
  return row.total;
}

export interface UnreadableText {
  version: number;
  checksum: string;
  content: string;
  at: string;
}

export const insertUnreadableText = (
  db: Kysely<RecordTables>,
  row: Pick<EntityRow, 'row_id' | 'tenant_id' | 'name' | 'status'>,
  kept: UnreadableText,
) =>
  db
    .insertInto('entity_revisions')
    .values({
      row_id: row.row_id,
      version: kept.version,
      tenant_id: row.tenant_id,
      name: row.name,
      status: row.status,
      checksum: kept.checksum,
      file_checksum: kept.checksum,
      content: kept.content,
      source: 'file',
      changed: '["unreadable"]',
      created_at: kept.at,
      created_by: null,
      operation_id: null,
      via: null,
    })
    .execute();

/** The same under a new version of row and reply. */
export async function keepUnreadableText(
  db: Kysely<RecordTables>,
  row: EntityRow,
  kept: UnreadableText,
): Promise<void> {
  await insertUnreadableText(db, row, kept);
  await db.updateTable('entities').set({ version: kept.version }).where('row_id', '=', row.row_id).execute();
  const [document] = await documentsOf(db, [row.row_id]);
  if (document === undefined) return;
  const json = withVersion(document.json, kept.version);
  await db.updateTable('entity_documents').set({ json }).where('row_id', '=', row.row_id).execute();
}

/** A text that lost a conflict: it is kept among the entity's versions although it never was one. */
export interface LostText {
  version: number;
  /** The version that it was based on; 0 if unknown. */
  parent: number;
  name: string;
  status: string;
  text: string;
  checksum: string;
  created_at: string;
  created_by: string | null;
}

export const keepLostText = (db: Kysely<RecordTables>, row: EntityRow, lost: LostText) =>
  db
    .insertInto('entity_revisions')
    .values({
      row_id: row.row_id,
      version: lost.version,
      tenant_id: row.tenant_id,
      entity_id: row.entity_id,
      path: row.path,
      name: lost.name,
      status: lost.status,
      checksum: lost.checksum,
      file_checksum: lost.checksum,
      content: lost.text,
      parent: lost.parent,
      source: 'sync',
      changed: '["conflict"]',
      created_at: lost.created_at,
      created_by: lost.created_by,
    })
    .execute();
