import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BillingTables, EventOutcome, EventRow } from './billing.tables.ts';

/** False if the event is there already. Another process that is inserting it is waited for. */
export async function insertEvent(db: Executor, row: EventRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await (db as Kysely<BillingTables>)
    .insertInto('billing_events')
    .values(row)
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function noteOutcome(
  db: Executor,
  eventId: string,
  change: { outcome: EventOutcome; tenant_id: string | null; note: string | null },
): Promise<void> {
  await (db as Kysely<BillingTables>)
    .updateTable('billing_events')
    .set(change)
    .where('event_id', '=', eventId)
    .execute();
}

export interface EventFilter {
  type?: string;
  outcome?: EventOutcome;
  limit: number;
}

export const createEventStore = (database: TenantDatabase) => ({
  isKnown: async (eventId: string): Promise<boolean> =>
    (await database.read((db: Kysely<BillingTables>) =>
      db.selectFrom('billing_events').select('event_id').where('event_id', '=', eventId).executeTakeFirst(),
    )) !== undefined,

  /** Newest first. */
  list: ({ type, outcome, limit }: EventFilter): Promise<EventRow[]> =>
    database.read((db: Kysely<BillingTables>) => {
      let query = db.selectFrom('billing_events').selectAll();
      if (type !== undefined) query = query.where('type', '=', type);
      if (outcome !== undefined) query = query.where('outcome', '=', outcome);
      return query.orderBy('received_at', 'desc').orderBy('event_id').limit(limit).execute();
    }),

  /** Those that nobody has to look at. */
  async removeBefore(ms: number): Promise<void> {
    await database.write((db: Kysely<BillingTables>) =>
      db.deleteFrom('billing_events').where('received_at', '<', ms).where('outcome', '!=', 'held').execute(),
    );
  },

  countSince: async (outcome: EventOutcome, ms: number): Promise<number> => {
    const { total } = await database.read((db: Kysely<BillingTables>) =>
      db
        .selectFrom('billing_events')
        .select(({ fn }) => fn.countAll<number | string>().as('total'))
        .where('outcome', '=', outcome)
        .where('received_at', '>=', ms)
        .executeTakeFirstOrThrow(),
    );
    return Number(total);
  },
});
