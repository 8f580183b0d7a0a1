import { inProject } from '../../platform/database/scoped.ts';
import type { Scope } from '../records/index.ts';
import type { AssetDb, RecycledAssetRow } from './assets.tables.ts';

export const putRecycledAsset = (db: AssetDb, row: RecycledAssetRow) =>
  db.insertInto('asset_recycle_items').values(row).execute();

const items = (db: AssetDb, scope: Scope) => inProject(db, scope).selectFrom('asset_recycle_items');

export const findRecycledAsset = (db: AssetDb, scope: Scope, itemId: string) =>
  items(db, scope).selectAll().where('item_id', '=', itemId).where('in_bin', '=', 1).executeTakeFirst();

/** Items whose files may not have reached the bin when a process ended. */
export const listPendingItems = (db: AssetDb, scope: Scope): Promise<RecycledAssetRow[]> =>
  items(db, scope).selectAll().where('in_bin', '=', 0).orderBy('deleted_at').execute();

export const listItemsInBin = (db: AssetDb, scope: Scope): Promise<RecycledAssetRow[]> =>
  items(db, scope).selectAll().where('in_bin', '=', 1).execute();

export async function listRecycledAssets(
  db: AssetDb,
  scope: Scope,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: RecycledAssetRow[] }> {
  const { total } = await items(db, scope)
    .where('in_bin', '=', 1)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await items(db, scope)
    .selectAll()
    .where('in_bin', '=', 1)
    .orderBy('deleted_at', 'desc')
    .orderBy('item_id')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total, rows };
}

export const markInBin = (db: AssetDb, { item_id }: RecycledAssetRow) =>
  db.updateTable('asset_recycle_items').set({ in_bin: 1 }).where('item_id', '=', item_id).execute();

/** Resolves to 0 if another request was first. */
export async function deleteRecycledAsset(db: AssetDb, scope: Scope, itemId: string): Promise<number> {
  const { numDeletedRows } = await inProject(db, scope)
    .deleteFrom('asset_recycle_items')
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
