import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CreditDb } from './credits.tables.ts';

export function createUpkeepStore(database: TenantDatabase) {
  return {
    /** Tenants for which something is due: a period has ended, or a lease, or what remains of a lot expires. */
    due: (nowMs: number, limit: number): Promise<string[]> =>
      database.read(async (db: CreditDb) => {
        const ended = await db
          .selectFrom('credit_accounts')
          .select('tenant_id')
          .where('period_end_ms', '<=', nowMs)
          .orderBy('period_end_ms')
          .limit(limit)
          .execute();
        const expired = await db
          .selectFrom('credit_lots')
          .select('tenant_id')
          .where('is_open', '=', 1)
          .where('remaining', '>', 0)
          .where('expires_at_ms', '<=', nowMs)
          .limit(limit)
          .execute();
        const lapsed = await db
          .selectFrom('credit_reservations')
          .select('tenant_id')
          .where('open_until_ms', '<=', nowMs)
          .limit(limit)
          .execute();
        const all = new Set([...ended, ...expired, ...lapsed].map(({ tenant_id }) => tenant_id));
        return [...all].slice(0, limit);
      }),

    /** Removes the oldest answers, at most `limit`, and returns how many. */
    removeAnswers: (beforeMs: number, limit: number): Promise<number> =>
      database.write(async (db: CreditDb) => {
        const old = await db
          .selectFrom('credit_answers')
          .select('created_at_ms')
          .where('created_at_ms', '<', beforeMs)
          .orderBy('created_at_ms')
          .limit(limit)
          .execute();
        const last = old.at(-1);
        if (last === undefined) return 0;
        await db.deleteFrom('credit_answers').where('created_at_ms', '<=', last.created_at_ms).execute();
        return old.length;
      }),
  };
}
