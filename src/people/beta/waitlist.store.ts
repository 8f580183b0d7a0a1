import { type Kysely, sql, type Updateable } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BetaTables, WaitlistRequestRow, WaitlistRow } from './beta.tables.ts';
import type { WaitlistState } from './states.contract.ts';

type Column = 'entry_id' | 'email' | 'token_hash' | 'referral_code';

export async function findEntry(
  executor: Executor,
  column: Column,
  value: string,
): Promise<WaitlistRow | null> {
  const row = await (executor as Kysely<BetaTables>)
    .selectFrom('beta_waitlist')
    .selectAll()
    .where(column, '=', value)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertEntry(executor: Executor, row: WaitlistRow): Promise<void> {
  await (executor as Kysely<BetaTables>).insertInto('beta_waitlist').values(row).execute();
}

export async function updateEntry(
  executor: Executor,
  entryId: string,
  changes: Updateable<WaitlistRow>,
): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .updateTable('beta_waitlist')
    .set(changes)
    .where('entry_id', '=', entryId)
    .execute();
}

/** Moves an entry on; false if it is not in this state, so that of several callers one does it. */
export async function moveEntry(
  executor: Executor,
  entryId: string,
  from: WaitlistState,
  changes: Updateable<WaitlistRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await (executor as Kysely<BetaTables>)
    .updateTable('beta_waitlist')
    .set(changes)
    .where('entry_id', '=', entryId)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Up to `most` referrals move an entry up. */
export async function countReferral(
  executor: Executor,
  entryId: string,
  { byMs, most }: { byMs: number; most: number },
): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .updateTable('beta_waitlist')
    .set({
      referrals: sql<number>`referrals + 1`,
      rank_at: sql<number>`case when referrals < ${most} then rank_at - ${byMs} else rank_at end`,
    })
    .where('entry_id', '=', entryId)
    .execute();
}

/** How many wait before this place. */
export async function countBefore(
  executor: Executor,
  { rank_at, entry_id }: Pick<WaitlistRow, 'rank_at' | 'entry_id'>,
): Promise<number> {
  const { count } = await (executor as Kysely<BetaTables>)
    .selectFrom('beta_waitlist')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('state', '=', 'waiting')
    .where((entry) =>
      entry.or([
        entry('rank_at', '<', rank_at),
        entry.and([entry('rank_at', '=', rank_at), entry('entry_id', '<', entry_id)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertRequest(executor: Executor, row: WaitlistRequestRow): Promise<void> {
  await (executor as Kysely<BetaTables>).insertInto('beta_waitlist_requests').values(row).execute();
}

export async function removeRequest(executor: Executor, requestId: string): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .deleteFrom('beta_waitlist_requests')
    .where('request_id', '=', requestId)
    .execute();
}

export async function removeUnconfirmed(executor: Executor, mailedBefore: number): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .deleteFrom('beta_waitlist')
    .where('state', '=', 'unconfirmed')
    .where('mailed_at', '<', mailedBefore)
    .execute();
}

export const createWaitlistStore = (database: TenantDatabase) => ({
  find: (column: Column, value: string): Promise<WaitlistRow | null> =>
    database.read((db: Kysely<BetaTables>) => findEntry(db, column, value)),
  positionOf: (row: WaitlistRow): Promise<number> =>
    database.read(async (db: Kysely<BetaTables>) => (await countBefore(db, row)) + 1),
  /** Oldest first. */
  requests: (most: number): Promise<WaitlistRequestRow[]> =>
    database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_waitlist_requests')
        .selectAll()
        .orderBy('asked_at')
        .orderBy('request_id')
        .limit(most)
        .execute(),
    ),
  /** Those that are next. */
  next: (count: number): Promise<WaitlistRow[]> =>
    database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_waitlist')
        .selectAll()
        .where('state', '=', 'waiting')
        .orderBy('rank_at')
        .orderBy('entry_id')
        .limit(count)
        .execute(),
    ),
  named: (column: 'entry_id' | 'email', values: readonly string[]): Promise<WaitlistRow[]> =>
    database.read((db: Kysely<BetaTables>) =>
      db.selectFrom('beta_waitlist').selectAll().where(column, 'in', values).execute(),
    ),
  /** In the order in which they are next; with a state, their number in this order is their place. */
  page: (
    state: WaitlistState | undefined,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ total: number; rows: WaitlistRow[] }> =>
    database.read(async (db: Kysely<BetaTables>) => {
      const all = db
        .selectFrom('beta_waitlist')
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'waiting'));
      const { total } = await all
        .select(({ fn }) => fn.countAll<number | string>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await all
        .selectAll()
        .orderBy('state', 'desc')
        .orderBy('rank_at')
        .orderBy('entry_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total: Number(total), rows };
    }),
});
