import type { Kysely, Selectable } from 'kysely';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import type { RecordTables, RecycleItemsTable } from './records.tables.ts';
import type { Scope } from './scope.ts';

export type RecycleRow = Selectable<RecycleItemsTable>;

/** A deleted entity is in the bin once: this replaces the row of a sweep that was quicker than the deletion itself. */
export async function insertRecycleItem(db: Kysely<RecordTables>, row: RecycleRow): Promise<void> {
  await inTenant(db, row.tenant_id).deleteFrom('recycle_items').where('row_id', '=', row.row_id).execute();
  await db.insertInto('recycle_items').values(row).execute();
}

export const listRecycleItems = (db: Kysely<RecordTables>, scope: Scope, limit: number, offset: number) =>
  inProject(db, scope)
    .selectFrom('recycle_items')
    .select(['item_id', 'entity_type', 'entity_id', 'name', 'version', 'path', 'deleted_at', 'deleted_by'])
    .orderBy('deleted_at', 'desc')
    .orderBy('item_id')
    .limit(limit)
    .offset(offset)
    .execute();

export async function countRecycleItems(db: Kysely<RecordTables>, scope: Scope): Promise<number> {
  const row = await inProject(db, scope)
    .selectFrom('recycle_items')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

export const findRecycleItem = (db: Kysely<RecordTables>, scope: Scope, itemId: string) =>
  inProject(db, scope)
    .selectFrom('recycle_items')
    .selectAll()
    .where('item_id', '=', itemId)
    .executeTakeFirst();

export const findRecycledLife = (db: Kysely<RecordTables>, scope: Scope, rowId: number) =>
  inProject(db, scope).selectFrom('recycle_items').selectAll().where('row_id', '=', rowId).executeTakeFirst();

/** Returns those of the ids that deleted entities of a type had. */
export async function recycledAmong(
  db: Kysely<RecordTables>,
  scope: Scope,
  entityType: string,
  entityIds: readonly string[],
): Promise<string[]> {
  const rows = await inProject(db, scope)
    .selectFrom('recycle_items')
    .select('entity_id')
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', entityIds)
    .execute();
  return rows.map((row) => row.entity_id);
}

export const findLastLife = (db: Kysely<RecordTables>, scope: Scope, entityType: string, entityId: string) =>
  inProject(db, scope)
    .selectFrom('recycle_items')
    .selectAll()
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', entityId)
    .orderBy('deleted_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const deleteRecycleItem = (db: Kysely<RecordTables>, scope: Scope, itemId: string) =>
  inProject(db, scope).deleteFrom('recycle_items').where('item_id', '=', itemId).execute();
