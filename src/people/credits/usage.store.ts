import type { TenantDatabase } from '../../platform/database/database.ts';
import type { CreditDb } from './credits.tables.ts';

export const USAGE_GROUPS = ['day', 'user', 'operation', 'provider'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const COLUMNS = {
  day: 'day',
  user: 'user_id',
  operation: 'operation',
  provider: 'provider',
} as const satisfies Record<UsageGroup, string>;

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

/** Reads what every spending has counted, never the entries: there may be millions of those. */
export function createUsageStore(database: TenantDatabase) {
  const grouped = (
    tenantId: string,
    group: UsageGroup,
    { from, to, periodStartMs }: Days & { periodStartMs?: number },
  ): Promise<GroupedUsage[]> =>
    database.read(async (db: CreditDb) => {
      const column = COLUMNS[group];
      let query = db
        .selectFrom('credit_usage')
        .where('tenant_id', '=', tenantId)
        .where('day', '>=', from)
        .where('day', '<=', to);
      if (periodStartMs !== undefined) query = query.where('period_start_ms', '=', periodStartMs);
      const rows = await query
        .select(({ fn }) => [
          `${column} as key`,
          fn.sum<number | string>('spent').as('spent'),
          fn.sum<number | string>('operations').as('operations'),
        ])
        .groupBy(column)
        .orderBy(column)
        .limit(MOST_GROUPS)
        .execute();
      return rows.map(({ key, spent, operations }) => ({
        key,
        spent: Number(spent),
        operations: Number(operations),
      }));
    });

  return {
    grouped,
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
