import { fitsLimit, type PlanName } from '../../access/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { limitReached } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import type { HeldRoom, StorageRoom } from '../records/index.ts';
import type { AssetDb } from './assets.tables.ts';

const MB = 1_000_000;
/** Milliseconds, longer than any file is on its way. */
const HELD_MS = 3_600_000;

const shown = (bytes: number): string =>
  `${(bytes / MB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** Bytes of the tenant's assets with recycle bin, of its plugins, and of reservations, in one query, so that a file on its way counts once. */
async function bytesStored(db: AssetDb, tenantId: string, now: string): Promise<number> {
  const row = await db
    .selectNoFrom([
      inTenant(db, tenantId)
        .selectFrom('files')
        .select((of) => of.fn.sum<number | string | null>('size').as('bytes'))
        .where('entry_type', '=', 'asset')
        .where('deleted_at', 'is', null)
        .as('live'),
      inTenant(db, tenantId)
        .selectFrom('files')
        .select((of) => of.fn.sum<number | string | null>('size').as('bytes'))
        .where('path', '>=', '_Plugins/')
        .where('path', '<', '_Plugins0')
        .where('deleted_at', 'is', null)
        .as('plugins'),
      inTenant(db, tenantId)
        .selectFrom('asset_recycle_items')
        .select((of) => of.fn.sum<number | string | null>('size_bytes').as('bytes'))
        .as('recycled'),
      inTenant(db, tenantId)
        .selectFrom('storage_holds')
        .select((of) => of.fn.sum<number | string | null>('bytes').as('bytes'))
        .where('held_until', '>', now)
        .as('held'),
    ])
    .executeTakeFirstOrThrow();
  const { live, plugins, recycled, held } = row;
  return [live, plugins, recycled, held].reduce<number>((sum, bytes) => sum + Number(bytes ?? 0), 0);
}

const NOTHING_HELD: HeldRoom = { settle: async () => {}, release: async () => {} };

/** `limitOf` returns the bytes that a plan allows, -1 for no limit. */
export function createStorageRoom(limitOf: (plan: PlanName) => number, clock: Clock): StorageRoom {
  async function requireIn(db: AssetDb, tenantId: string, plan: PlanName, bytes: number): Promise<void> {
    const limit = limitOf(plan);
    const used = await bytesStored(db, tenantId, isoTime(clock.now()));
    if (fitsLimit(limit, used, bytes)) return;
    const allowed = limit === 0 ? 'has no storage for files in the cloud' : `allows ${shown(limit)} of files`;
    throw limitReached(
      `Your plan ${allowed}; ${shown(used)} are used, the recycle bin included, and this needs ${shown(bytes)}. Delete some and empty the bin, or choose a larger plan`,
      { code: 'storage_limit' },
    );
  }

  return {
    async require({ database, tenantId }, plan, bytes) {
      if (limitOf(plan) < 0) return;
      await database.read((db: AssetDb) => requireIn(db, tenantId, plan, bytes));
    },
    async hold({ database, tenantId }, plan, bytes) {
      if (limitOf(plan) < 0) return NOTHING_HELD;
      const [holdId, now] = [newId(), clock.now()];
      // The lock shows each request the reservations before it; concurrent transactions would not see each other's.
      await database.exclusive('storage room', () =>
        database.write(async (db: AssetDb) => {
          await requireIn(db, tenantId, plan, bytes);
          await dropHolds(db, tenantId, isoTime(now));
          const row = { hold_id: holdId, tenant_id: tenantId, bytes, held_until: isoTime(now + HELD_MS) };
          await db.insertInto('storage_holds').values(row).execute();
        }),
      );
      const end = async (db: AssetDb) =>
        void (await db.deleteFrom('storage_holds').where('hold_id', '=', holdId).execute());
      return {
        settle: (db) => end(db as AssetDb),
        // A reservation that cannot be removed expires by itself, and the result of the upload does not depend on it.
        release: () => database.write(end).catch(() => {}),
      };
    },
  };
}

/** Removes expired reservations of crashed uploads. */
const dropHolds = (db: AssetDb, tenantId: string, before: string) =>
  inTenant(db, tenantId).deleteFrom('storage_holds').where('held_until', '<=', before).execute();
