import type { Kysely } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';

export async function createProjects({ schema }: Kysely<unknown>, { text, bigint }: Dialect): Promise<void> {
  await schema
    .createTable('projects')
    .addColumn('tenant_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull().unique())
    .addColumn('seq', bigint, (c) => c.notNull())
    .addColumn('manifest_version', bigint, (c) => c.notNull())
    .addColumn('brake', text)
    .addColumn('created_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('projects_key', ['tenant_id', 'project_id'])
    .execute();
}

export async function createEntities({ schema }: Kysely<unknown>, { text, bigint }: Dialect): Promise<void> {
  await schema
    .createTable('entities')
    .addColumn('row_id', bigint, (c) => c.primaryKey())
    .addColumn('tenant_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('entity_type', text, (c) => c.notNull())
    .addColumn('entity_id', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('name_key', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('version', bigint, (c) => c.notNull())
    .addColumn('seq', bigint, (c) => c.notNull())
    .addColumn('is_valid', 'integer', (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('updated_at', text, (c) => c.notNull())
    .addColumn('updated_by', text)
    .addColumn('source', text, (c) => c.notNull())
    .addColumn('changed', text, (c) => c.notNull())
    .addColumn('checksum', text, (c) => c.notNull())
    .addColumn('file_checksum', text, (c) => c.notNull())
    .addColumn('path', text, (c) => c.notNull())
    .execute();
  await schema
    .createIndex('entities_by_id')
    .unique()
    .on('entities')
    .columns(['tenant_id', 'project_id', 'entity_type', 'entity_id'])
    .execute();
  await schema
    .createIndex('entities_by_update')
    .on('entities')
    .columns(['tenant_id', 'project_id', 'entity_type', 'updated_at', 'row_id'])
    .execute();
}

export async function createEntityDocuments(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await schema
    .createTable('entity_documents')
    .addColumn('row_id', bigint, (c) => c.primaryKey())
    .addColumn('json', text, (c) => c.notNull())
    .addColumn('head', text, (c) => c.notNull())
    .execute();
}

export async function createEntityRevisions(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await schema
    .createTable('entity_revisions')
    .addColumn('row_id', bigint, (c) => c.notNull())
    .addColumn('version', bigint, (c) => c.notNull())
    .addColumn('tenant_id', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('checksum', text, (c) => c.notNull())
    .addColumn('file_checksum', text, (c) => c.notNull())
    .addColumn('content', text, (c) => c.notNull())
    .addColumn('source', text, (c) => c.notNull())
    .addColumn('changed', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('created_by', text)
    .addPrimaryKeyConstraint('entity_revisions_key', ['row_id', 'version'])
    .execute();
}

export async function createRecycleItems(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await schema
    .createTable('recycle_items')
    .addColumn('item_id', text, (c) => c.primaryKey())
    .addColumn('tenant_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('entity_type', text, (c) => c.notNull())
    .addColumn('entity_id', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('row_id', bigint, (c) => c.notNull())
    .addColumn('version', bigint, (c) => c.notNull())
    .addColumn('folder', text)
    .addColumn('original_folder', text, (c) => c.notNull())
    .addColumn('path', text, (c) => c.notNull())
    .addColumn('content', text, (c) => c.notNull())
    .addColumn('record', text, (c) => c.notNull())
    .addColumn('deleted_at', text, (c) => c.notNull())
    .addColumn('deleted_by', text)
    .execute();
  await schema
    .createIndex('recycle_items_by_time')
    .on('recycle_items')
    .columns(['tenant_id', 'project_id', 'deleted_at'])
    .execute();
}

export async function createFiles(
  { schema }: Kysely<unknown>,
  { text, bigint, double }: Dialect,
): Promise<void> {
  await schema
    .createTable('files')
    .addColumn('tenant_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('path', text, (c) => c.notNull())
    .addColumn('entry_type', text, (c) => c.notNull())
    .addColumn('entity_type', text)
    .addColumn('entity_id', text)
    .addColumn('size', bigint, (c) => c.notNull())
    .addColumn('mtime_ms', double, (c) => c.notNull())
    .addColumn('ctime_ms', double, (c) => c.notNull())
    .addColumn('ino', double, (c) => c.notNull())
    .addColumn('sha256', text, (c) => c.notNull())
    .addColumn('seq', bigint, (c) => c.notNull())
    .addColumn('added_at', text, (c) => c.notNull())
    .addColumn('changed_at', text, (c) => c.notNull())
    .addColumn('deleted_at', text)
    .addColumn('problem', text)
    .addPrimaryKeyConstraint('files_key', ['tenant_id', 'project_id', 'path'])
    .execute();
  await schema.createIndex('files_by_seq').on('files').columns(['tenant_id', 'project_id', 'seq']).execute();
}

export async function createEntityCounts(
  { schema }: Kysely<unknown>,
  { text, bigint }: Dialect,
): Promise<void> {
  await schema
    .createTable('entity_counts')
    .addColumn('tenant_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('entity_type', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('total', bigint, (c) => c.notNull())
    .addPrimaryKeyConstraint('entity_counts_key', ['tenant_id', 'project_id', 'entity_type', 'status'])
    .execute();
}
