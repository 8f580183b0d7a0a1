import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CreditDb, UsageGroup } from './credits.tables.ts';

/** Callers name operations themselves, so there may be any number. */
const MOST_GROUPS = 10_000;

export interface GroupedUsage {
  key: string;
  spent: number;
  operations: number;
}

export interface Days {
  from: string;
  to: string;
}

interface Sum {
  key: string;
  spent: number | string;
  operations: number | string;
}

const shown = (rows: readonly Sum[]): GroupedUsage[] =>
  rows.map(({ key, spent, operations }) => ({ key, spent: Number(spent), operations: Number(operations) }));

/** Reads what every spending has counted, never the entries: there may be millions of those. */
export function createUsageStore(database: TenantDatabase) {
  return {
    /** Over any days. */
    grouped: (tenantId: string, group: UsageGroup, { from, to }: Days): Promise<GroupedUsage[]> =>
      database.read(async (db: CreditDb) => {
        const key = group === 'day' ? 'day' : 'name';
        const rows = await db
          .selectFrom('credit_usage_totals')
          .where('tenant_id', '=', tenantId)
          .where('grouping', '=', group)
          .where('day', '>=', from)
          .where('day', '<=', to)
          .select(({ fn }) => [
            `${key} as key`,
            fn.sum<number | string>('spent').as('spent'),
            fn.sum<number | string>('operations').as('operations'),
          ])
          .groupBy(key)
          .orderBy(key)
          .limit(MOST_GROUPS)
          .execute();
        return shown(rows);
      }),

    /** Of one period by operation; its days are among these. */
    ofPeriod: (tenantId: string, periodStartMs: number, { from, to }: Days): Promise<GroupedUsage[]> =>
      database.read(async (db: CreditDb) => {
        const rows = await db
          .selectFrom('credit_usage')
          .where('tenant_id', '=', tenantId)
          .where('day', '>=', from)
          .where('day', '<=', to)
          .where('period_start_ms', '=', periodStartMs)
          .select(({ fn }) => [
            'operation as key',
            fn.sum<number | string>('spent').as('spent'),
            fn.sum<number | string>('operations').as('operations'),
          ])
          .groupBy('operation')
          .orderBy('operation')
          .limit(MOST_GROUPS)
          .execute();
        return shown(rows);
      }),

    /** Quotas, and what counts against them, of everybody who has either. */
    members: (tenantId: string) =>
      database.read((db: CreditDb) =>
        db
          .selectFrom('credit_members')
          .select(['user_id', 'quota', 'period_start_ms', 'spent', 'reserved'])
          .where('tenant_id', '=', tenantId)
          .execute(),
      ),
  };
}
