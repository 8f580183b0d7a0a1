import { fitsLimit, type PlanName } from '../../access/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { limitReached } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { HeldRoom, StorageRoom } from '../records/index.ts';
import type { AssetDb } from './assets.tables.ts';

const MB = 1_000_000;
/** Longer than any file is on its way. */
const HELD_MS = 3_600_000;

const shown = (bytes: number): string =>
  `${(bytes / MB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** Bytes of the tenant's assets, those in the recycle bin and on their way included: one query, so that what goes from one to another is counted once. */
async function bytesStored(db: AssetDb, tenantId: string, now: string): Promise<number> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('files')
        .select((of) => of.fn.sum<number | string | null>('size').as('bytes'))
        .where('tenant_id', '=', tenantId)
        .where('entry_type', '=', 'asset')
        .where('deleted_at', 'is', null)
        .as('live'),
      eb
        .selectFrom('asset_recycle_items')
        .select((of) => of.fn.sum<number | string | null>('size_bytes').as('bytes'))
        .where('tenant_id', '=', tenantId)
        .as('recycled'),
      eb
        .selectFrom('storage_holds')
        .select((of) => of.fn.sum<number | string | null>('bytes').as('bytes'))
        .where('tenant_id', '=', tenantId)
        .where('held_until', '>', now)
        .as('held'),
    ])
    .executeTakeFirstOrThrow();
  return Number(row.live ?? 0) + Number(row.recycled ?? 0) + Number(row.held ?? 0);
}

const NOTHING_HELD: HeldRoom = { settle: async () => {}, release: async () => {} };

/** `limitOf` gives the bytes that a plan allows, -1 for any number. */
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
      // Whoever holds the lock sees what those before have taken: transactions side by side do not.
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
        // What cannot be dropped ends by itself; what it was held for went well or badly regardless.
        release: () => database.write(end).catch(() => {}),
      };
    },
  };
}

/** Forgets what crashed on its way. */
const dropHolds = (db: AssetDb, tenantId: string, before: string) =>
  db
    .deleteFrom('storage_holds')
    .where('tenant_id', '=', tenantId)
    .where('held_until', '<=', before)
    .execute();
