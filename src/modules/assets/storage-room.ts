import { fitsLimit, type PlanName } from '../../content/plans.ts';
import { limitReached } from '../../kit/errors.ts';
import type { StorageRoom } from '../records/storage-room.ts';
import type { AssetDb } from './assets.tables.ts';

const MB = 1_000_000;

const shown = (bytes: number): string =>
  `${(bytes / MB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** Bytes of the tenant's assets, those in the recycle bin included. */
async function bytesStored(db: AssetDb, tenantId: string): Promise<number> {
  const live = await db
    .selectFrom('files')
    .select((eb) => eb.fn.sum<number | string | null>('size').as('bytes'))
    .where('tenant_id', '=', tenantId)
    .where('entry_type', '=', 'asset')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const recycled = await db
    .selectFrom('asset_recycle_items')
    .select((eb) => eb.fn.sum<number | string | null>('size_bytes').as('bytes'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return Number(live?.bytes ?? 0) + Number(recycled?.bytes ?? 0);
}

/** `limitOf` gives the bytes that a plan allows, -1 for any number. */
export const createStorageRoom = (limitOf: (plan: PlanName) => number): StorageRoom => ({
  async require({ database, tenantId }, plan, bytes) {
    const limit = limitOf(plan);
    if (limit < 0) return;
    const used = await database.read((db: AssetDb) => bytesStored(db, tenantId));
    if (fitsLimit(limit, used, bytes)) return;
    const allowed = limit === 0 ? 'has no storage for files in the cloud' : `allows ${shown(limit)} of files`;
    throw limitReached(
      `Your plan ${allowed}; ${shown(used)} are used, the recycle bin included, and this needs ${shown(bytes)}. Delete some and empty the bin, or choose a larger plan`,
      { code: 'storage_limit' },
    );
  },
});
