import type { Kysely } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

export async function createProjects({ schema }: Kysely<unknown>, { text, bigint }: Dialect): Promise<void> {
  await createTable(schema, 'projects', [
    notNull(text, 'tenant_id', 'project_id'),
    (table) => table.addColumn('number', 'integer', (c) => c.notNull().unique()),
    notNull(bigint, 'seq', 'manifest_version'),
    nullable(text, 'brake'),
    notNull(text, 'created_at'),
    keyOf('tenant_id', 'project_id'),
  ]);
}

export async function createEntities({ schema }: Kysely<unknown>, { text, bigint }: Dialect): Promise<void> {
  await createTable(schema, 'entities', [
    key(bigint, 'row_id'),
    notNull(text, 'tenant_id', 'project_id', 'entity_type', 'entity_id', 'name', 'name_key', 'status'),
    notNull(bigint, 'version', 'seq'),
    notNull('integer', 'is_valid'),
    notNull(text, 'created_at', 'updated_at'),
    nullable(text, 'updated_by'),
    notNull(text, 'source', 'changed', 'checksum', 'file_checksum', 'path'),
  ]);
  await schema
    .createIndex('entities_by_id')
    .unique()
    .on('entities')
    .columns(['tenant_id', 'project_id', 'entity_type', 'entity_id'])
    .execute();
  await createIndex(schema, 'entities_by_update', 'entities', [
    'tenant_id',
    'project_id',
    'entity_type',
    'updated_at',
    'row_id',
  ]);
}

export async function createEntityDocuments(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await createTable(schema, 'entity_documents', [key(bigint, 'row_id'), notNull(text, 'json', 'head')]);
}

export async function createEntityRevisions(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await createTable(schema, 'entity_revisions', [
    notNull(bigint, 'row_id', 'version'),
    notNull(text, 'tenant_id', 'name', 'status', 'checksum', 'file_checksum', 'content', 'source', 'changed'),
    notNull(text, 'created_at'),
    nullable(text, 'created_by'),
    keyOf('row_id', 'version'),
  ]);
}

export async function createRecycleItems(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await createTable(schema, 'recycle_items', [
    key(text, 'item_id'),
    notNull(text, 'tenant_id', 'project_id', 'entity_type', 'entity_id', 'name'),
    notNull(bigint, 'row_id', 'version'),
    nullable(text, 'folder'),
    notNull(text, 'original_folder', 'path', 'content', 'record', 'deleted_at'),
    nullable(text, 'deleted_by'),
  ]);
  await createIndex(schema, 'recycle_items_by_time', 'recycle_items', [
    'tenant_id',
    'project_id',
    'deleted_at',
  ]);
}

export async function createFiles(
  { schema }: Kysely<unknown>,
  { text, bigint, double }: Dialect,
): Promise<void> {
  await createTable(schema, 'files', [
    notNull(text, 'tenant_id', 'project_id', 'path', 'entry_type'),
    nullable(text, 'entity_type', 'entity_id'),
    notNull(bigint, 'size'),
    notNull(double, 'mtime_ms', 'ctime_ms', 'ino'),
    notNull(text, 'sha256'),
    notNull(bigint, 'seq'),
    notNull(text, 'added_at', 'changed_at'),
    nullable(text, 'deleted_at', 'problem'),
    keyOf('tenant_id', 'project_id', 'path'),
  ]);
  await createIndex(schema, 'files_by_seq', 'files', ['tenant_id', 'project_id', 'seq']);
}

export async function createEntityCounts(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await createTable(schema, 'entity_counts', [
    notNull(text, 'tenant_id', 'project_id', 'entity_type', 'status'),
    notNull(bigint, 'total'),
    keyOf('tenant_id', 'project_id', 'entity_type', 'status'),
  ]);
}
