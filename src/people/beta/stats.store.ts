import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { BetaTables } from './beta.tables.ts';

type Cohort = string | null;

export const createStatsStore = (database: TenantDatabase) => ({
  codes: async (): Promise<{ cohort: Cohort; codes: number; redeemed: number }[]> => {
    const rows = await database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_codes')
        .select(({ fn }) => [
          'cohort',
          fn.countAll<number | string>().as('codes'),
          fn.sum<number | string>('uses').as('redeemed'),
        ])
        .groupBy('cohort')
        .execute(),
    );
    return rows.map(({ cohort, codes, redeemed }) => ({
      cohort,
      codes: Number(codes),
      redeemed: Number(redeemed),
    }));
  },
  /** Each person once in each cohort. */
  people: (): Promise<{ cohort: Cohort; user_id: string | null }[]> =>
    database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_redemptions')
        .select(['cohort', 'user_id'])
        .distinct()
        .where('user_id', 'is not', null)
        .execute(),
    ),
  feedback: async () => {
    const rows = await database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_feedback')
        .select(({ fn }) => ['cohort', 'status', fn.countAll<number | string>().as('count')])
        .groupBy(['cohort', 'status'])
        .execute(),
    );
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  },
  waitlist: async () => {
    const rows = await database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_waitlist')
        .select(({ fn }) => ['cohort', 'state', fn.countAll<number | string>().as('count')])
        .groupBy(['cohort', 'state'])
        .execute(),
    );
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  },
});
