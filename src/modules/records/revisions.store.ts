import type { Kysely, Selectable } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import type { EntityRevisionsTable, EntityRow, RecordTables } from './records.tables.ts';

export type RevisionRow = Selectable<EntityRevisionsTable>;

/** Keeps the present states of rows that are about to be replaced. */
export async function keepRevisions(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  rows: readonly EntityRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const documents = await db
    .selectFrom('entity_documents')
    .select(['row_id', 'json', 'head'])
    .where(
      'row_id',
      'in',
      rows.map((row) => row.row_id),
    )
    .execute();
  const byId = new Map(documents.map((document) => [document.row_id, document]));
  const revisions = rows.flatMap((row) => {
    const document = byId.get(row.row_id);
    return document ? [revisionOf(row, document)] : [];
  });
  await dialect.upsert(db, 'entity_revisions', revisions, { conflict: ['row_id', 'version'], update: [] });
}

function revisionOf(row: EntityRow, document: { json: string; head: string }): RevisionRow {
  const { markdown_body } = JSON.parse(document.json) as { markdown_body: string };
  return {
    row_id: row.row_id,
    version: row.version,
    tenant_id: row.tenant_id,
    name: row.name,
    status: row.status,
    checksum: row.checksum,
    file_checksum: row.file_checksum,
    content: document.head + markdown_body,
    source: row.source,
    changed: row.changed,
    created_at: row.updated_at,
    created_by: row.updated_by,
  };
}

/** Superseded states, newest first, without their content. */
export const listRevisions = (
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  limit: number,
  offset: number,
) =>
  db
    .selectFrom('entity_revisions')
    .select([
      'version',
      'name',
      'status',
      'checksum',
      'file_checksum',
      'source',
      'changed',
      'created_at',
      'created_by',
    ])
    .where('tenant_id', '=', tenantId)
    .where('row_id', '=', rowId)
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

export const findRevision = (db: Kysely<RecordTables>, tenantId: string, rowId: number, version: number) =>
  db
    .selectFrom('entity_revisions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('row_id', '=', rowId)
    .where('version', '=', version)
    .executeTakeFirst();

export const deleteRevisions = (db: Kysely<RecordTables>, tenantId: string, rowIds: readonly number[]) =>
  db.deleteFrom('entity_revisions').where('tenant_id', '=', tenantId).where('row_id', 'in', rowIds).execute();

export async function countRevisions(
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
): Promise<number> {
  const row = await db
    .selectFrom('entity_revisions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where('row_id', '=', rowId)
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Keeps a file's text that cannot be read as an entity, under a version of its own that the row then has. */
export async function keepUnreadableText(
  db: Kysely<RecordTables>,
  row: EntityRow,
  kept: { version: number; checksum: string; content: string; at: string },
): Promise<void> {
  await db
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
    })
    .execute();
  await db.updateTable('entities').set({ version: kept.version }).where('row_id', '=', row.row_id).execute();
}
