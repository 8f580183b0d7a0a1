import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.ts';

export const TENANT = 'one';
export const YEAR = { from: '2025-01-01', to: '2025-12-31' };
const ENTRIES = 10_000_000;
const PER_POSTING = 5;
const DAYS = 365;
/** 50 people, 4 operations and 2 providers each day. */
const USAGE = DAYS * 400;

/** Numbers from 0 on, in both databases. */
const numbers = (name: Database['dialect']['name'], count: number) =>
  name === 'postgres'
    ? sql`(select g as n from generate_series(0, ${sql.lit(count - 1)}) as g) as numbers`
    : sql`(with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${sql.lit(count - 1)}) select n from counted) as numbers`;

const dayOf = (name: Database['dialect']['name']) =>
  name === 'postgres'
    ? sql`to_char(date '2025-01-01' + (n / 400)::integer, 'YYYY-MM-DD')`
    : sql`date('2025-01-01', '+' || (n / 400) || ' days')`;

/** Ten million entries of one tenant, and the counts that spending them would have left. */
export async function fillUsage({ system, dialect: { name } }: Database): Promise<void> {
  const run = (query: ReturnType<typeof sql>) =>
    system.write((db: Kysely<unknown>) => query.execute(db), { durable: false });
  // In parts, each well within the time that one statement may take.
  const PART = 500_000;
  for (let at = 0; at < ENTRIES; at += PART)
    await run(sql`insert into credit_entries (tenant_id, seq, line, account, lot_id, amount)
      select ${sql.lit(TENANT)}, (n + ${sql.lit(at)}) / ${sql.lit(PER_POSTING)}, n % ${sql.lit(PER_POSTING)}, 'spending', 1, 3
      from ${numbers(name, PART)}`);
  await run(sql`insert into credit_usage (tenant_id, day, user_id, operation, provider, period_start_ms, spent, operations)
    select ${sql.lit(TENANT)}, ${dayOf(name)}, 'user' || (n % 50), 'operation' || (n / 50 % 4), 'provider' || (n / 200 % 2), 0, 60, 20
    from ${numbers(name, USAGE)}`);
  for (const [grouping, column] of Object.entries({
    day: `''`,
    user: 'user_id',
    operation: 'operation',
    provider: 'provider',
  }))
    await run(sql`insert into credit_usage_totals (tenant_id, grouping, day, name, spent, operations)
      select tenant_id, ${sql.lit(grouping)}, day, ${sql.raw(column)}, sum(spent), sum(operations)
      from credit_usage group by 1, 2, 3, 4`);
  await run(name === 'postgres' ? sql`analyze` : sql`select 1`);
}
