import type { Kysely, Selectable } from 'kysely';
import type { RecordTables, RecycleItemsTable } from './records.tables.ts';
import type { Scope } from './scope.ts';

export type RecycleRow = Selectable<RecycleItemsTable>;

/** One life of an entity is in the bin once: what a sweep noted before the deletion itself got here is replaced. */
export async function insertRecycleItem(db: Kysely<RecordTables>, row: RecycleRow): Promise<void> {
  await db
    .deleteFrom('recycle_items')
    .where('tenant_id', '=', row.tenant_id)
    .where('row_id', '=', row.row_id)
    .execute();
  await db.insertInto('recycle_items').values(row).execute();
}

/** Newest first. */
export const listRecycleItems = (db: Kysely<RecordTables>, scope: Scope, limit: number, offset: number) =>
  db
    .selectFrom('recycle_items')
    .select(['item_id', 'entity_type', 'entity_id', 'name', 'version', 'path', 'deleted_at', 'deleted_by'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .orderBy('deleted_at', 'desc')
    .orderBy('item_id')
    .limit(limit)
    .offset(offset)
    .execute();

export async function countRecycleItems(db: Kysely<RecordTables>, scope: Scope): Promise<number> {
  const row = await db
    .selectFrom('recycle_items')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .executeTakeFirstOrThrow();
  return row.total;
}

export const findRecycleItem = (
  db: Kysely<RecordTables>,
  scope: Scope,
  itemId: string,
): Promise<RecycleRow | undefined> =>
  db
    .selectFrom('recycle_items')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();

/** The deleted life of an entity by its row id. */
export const findRecycledLife = (
  db: Kysely<RecordTables>,
  scope: Scope,
  rowId: number,
): Promise<RecycleRow | undefined> =>
  db
    .selectFrom('recycle_items')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('row_id', '=', rowId)
    .executeTakeFirst();

/** Those of the ids that deleted entities of a type had. */
export async function recycledAmong(
  db: Kysely<RecordTables>,
  scope: Scope,
  entityType: string,
  entityIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('recycle_items')
    .select('entity_id')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', entityIds)
    .execute();
  return rows.map((row) => row.entity_id);
}

/** The last deleted life of an entity by its name. */
export const findLastLife = (
  db: Kysely<RecordTables>,
  scope: Scope,
  entityType: string,
  entityId: string,
): Promise<RecycleRow | undefined> =>
  db
    .selectFrom('recycle_items')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', entityId)
    .orderBy('deleted_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const deleteRecycleItem = (db: Kysely<RecordTables>, scope: Scope, itemId: string) =>
  db
    .deleteFrom('recycle_items')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('item_id', '=', itemId)
    .execute();
