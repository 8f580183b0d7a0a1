import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { type CreditDb, creditMigrations } from './credits.tables.ts';

/** Of each sort; a damaged ledger has one cause and many consequences. */
const MOST_SHOWN = 20;

type Found = Record<string, string | number | null>;

interface Check {
  /** Rows that should not exist. */
  query: RawBuilder<Found>;
  say(row: Found): string;
}

/** A sum as both databases give a number for it. */
const total = (of: string) => sql.raw(`cast(coalesce(sum(${of}), 0) as bigint)`);

const CHECKS: readonly Check[] = [
  {
    query: sql`select tenant_id, seq, ${total('amount')} as total from credit_entries
      group by tenant_id, seq having sum(amount) <> 0`,
    say: ({ tenant_id, seq, total }) =>
      `the entries of posting ${seq} of ${tenant_id} sum to ${total}, not to 0`,
  },
  {
    query: sql`select e.tenant_id, e.seq from credit_entries e
      left join credit_postings p on p.tenant_id = e.tenant_id and p.seq = e.seq
      where p.seq is null group by e.tenant_id, e.seq`,
    say: ({ tenant_id, seq }) => `entries of ${tenant_id} name the posting ${seq}, which is missing`,
  },
  {
    query: sql`select a.tenant_id, a.last_seq, count(p.seq) as postings from credit_accounts a
      left join credit_postings p on p.tenant_id = a.tenant_id
      group by a.tenant_id, a.last_seq having count(p.seq) <> a.last_seq`,
    say: ({ tenant_id, last_seq, postings }) => `${tenant_id} has ${postings} postings of ${last_seq}`,
  },
  {
    query: sql`select l.tenant_id, l.lot_id, l.remaining, l.reserved, ${total(
      "case when e.account in ('grants', 'promotions', 'purchases') then e.amount end",
    )} as left_over, ${total("case when e.account = 'reservations' then e.amount end")} as held
      from credit_lots l left join credit_entries e on e.tenant_id = l.tenant_id and e.lot_id = l.lot_id
      group by l.tenant_id, l.lot_id, l.remaining, l.reserved
      having l.remaining <> ${total("case when e.account in ('grants', 'promotions', 'purchases') then e.amount end")}
        or l.reserved <> ${total("case when e.account = 'reservations' then e.amount end")}`,
    say: ({ tenant_id, lot_id, remaining, reserved, left_over, held }) =>
      `the lot ${lot_id} of ${tenant_id} says ${remaining} credits remain and ${reserved} are reserved, its entries ${left_over} and ${held}`,
  },
  {
    query: sql`select e.tenant_id, e.lot_id from credit_entries e
      left join credit_lots l on l.tenant_id = e.tenant_id and l.lot_id = e.lot_id
      where e.lot_id <> 0 and l.lot_id is null group by e.tenant_id, e.lot_id`,
    say: ({ tenant_id, lot_id }) => `entries of ${tenant_id} name the lot ${lot_id}, which is missing`,
  },
  {
    query: sql`select r.tenant_id, r.reservation_id, r.amount, r.open_until_ms, s.held
      from credit_reservations r join (
        select p.tenant_id, p.reservation_id, ${total('e.amount')} as held from credit_postings p
        join credit_entries e on e.tenant_id = p.tenant_id and e.seq = p.seq and e.account = 'reservations'
        where p.reservation_id is not null group by p.tenant_id, p.reservation_id
      ) s on s.tenant_id = r.tenant_id and s.reservation_id = r.reservation_id
      where s.held <> case when r.open_until_ms is null then 0 else r.amount end`,
    say: ({ tenant_id, reservation_id, amount, open_until_ms, held }) =>
      `the reservation ${reservation_id} of ${tenant_id} holds ${open_until_ms === null ? 0 : amount} credits, its entries ${held}`,
  },
  {
    query: sql`select p.tenant_id, p.reservation_id from credit_postings p
      left join credit_reservations r on r.tenant_id = p.tenant_id and r.reservation_id = p.reservation_id
      where p.kind = 'reserve' and r.reservation_id is null`,
    say: ({ tenant_id, reservation_id }) => `the reservation ${reservation_id} of ${tenant_id} is missing`,
  },
  {
    query: sql`select a.tenant_id, a.reserved, coalesce(r.held, 0) as held from credit_accounts a left join (
        select tenant_id, ${total('amount')} as held from credit_reservations
        where open_until_ms is not null group by tenant_id
      ) r on r.tenant_id = a.tenant_id where a.reserved <> coalesce(r.held, 0)`,
    say: ({ tenant_id, reserved, held }) =>
      `${tenant_id} counts ${reserved} reserved credits, its open reservations hold ${held}`,
  },
  {
    query: sql`select m.tenant_id, m.user_id, m.reserved, coalesce(r.held, 0) as held from credit_members m left join (
        select tenant_id, user_id, ${total('amount')} as held from credit_reservations
        where open_until_ms is not null group by tenant_id, user_id
      ) r on r.tenant_id = m.tenant_id and r.user_id = m.user_id where m.reserved <> coalesce(r.held, 0)`,
    say: ({ tenant_id, user_id, reserved, held }) =>
      `the user ${user_id} of ${tenant_id} counts ${reserved} reserved credits, the open reservations hold ${held}`,
  },
  {
    query: sql`with spent as (
        select p.tenant_id, p.day, p.user_id, p.operation, p.provider, p.period_start_ms, ${total('e.amount')} as spent
        from credit_postings p join credit_entries e on e.tenant_id = p.tenant_id and e.seq = p.seq
        where e.account = 'spending'
        group by p.tenant_id, p.day, p.user_id, p.operation, p.provider, p.period_start_ms
      )
      select u.tenant_id, u.day, u.user_id, u.operation, u.spent as counted, coalesce(s.spent, 0) as spent
      from credit_usage u left join spent s on s.tenant_id = u.tenant_id and s.day = u.day and s.user_id = u.user_id
        and s.operation = u.operation and s.provider = u.provider and s.period_start_ms = u.period_start_ms
      where u.spent <> coalesce(s.spent, 0)
      union all
      select s.tenant_id, s.day, s.user_id, s.operation, 0 as counted, s.spent
      from spent s left join credit_usage u on u.tenant_id = s.tenant_id and u.day = s.day and u.user_id = s.user_id
        and u.operation = s.operation and u.provider = s.provider and u.period_start_ms = s.period_start_ms
      where u.tenant_id is null`,
    say: ({ tenant_id, day, user_id, operation, counted, spent }) =>
      `the usage of ${tenant_id} on ${day} (${user_id}, ${operation}) counts ${counted} credits, its entries ${spent}`,
  },
  {
    query: sql`select tenant_id, grouping, day, name, ${total('spent')} as off from (
        select tenant_id, grouping, day, name, spent, operations from credit_usage_totals
        union all
        select u.tenant_id, g.grouping, u.day, case g.grouping when 'user' then u.user_id
          when 'operation' then u.operation when 'provider' then u.provider else '' end, -u.spent, -u.operations
        from credit_usage u cross join (select 'day' as grouping union all select 'user'
          union all select 'operation' union all select 'provider') g
      ) differences group by tenant_id, grouping, day, name having sum(spent) <> 0 or sum(operations) <> 0`,
    say: ({ tenant_id, grouping, day, name, off }) =>
      `the total of ${tenant_id} on ${day} by ${grouping} (${name}) differs by ${off} credits from the usage`,
  },
  {
    query: sql`select a.tenant_id, a.spent as counted, coalesce(u.spent, 0) as spent from credit_accounts a left join (
        select tenant_id, period_start_ms, ${total('spent')} as spent from credit_usage
        group by tenant_id, period_start_ms
      ) u on u.tenant_id = a.tenant_id and u.period_start_ms = a.period_start_ms where a.spent <> coalesce(u.spent, 0)`,
    say: ({ tenant_id, counted, spent }) =>
      `${tenant_id} counts ${counted} credits spent in this period, its usage ${spent}`,
  },
  {
    query: sql`select m.tenant_id, m.user_id, m.spent as counted, coalesce(u.spent, 0) as spent from credit_members m
      left join (
        select tenant_id, user_id, period_start_ms, ${total('spent')} as spent from credit_usage
        group by tenant_id, user_id, period_start_ms
      ) u on u.tenant_id = m.tenant_id and u.user_id = m.user_id and u.period_start_ms = m.period_start_ms
      where m.spent <> coalesce(u.spent, 0)`,
    say: ({ tenant_id, user_id, counted, spent }) =>
      `the user ${user_id} of ${tenant_id} counts ${counted} credits spent in this period, the usage ${spent}`,
  },
  {
    query: sql`select tenant_id, account, ${total('amount')} as total from credit_entries
      where account not in ('issued', 'unlimited') group by tenant_id, account having sum(amount) < 0`,
    say: ({ tenant_id, account, total }) => `the account ${account} of ${tenant_id} is below zero: ${total}`,
  },
  {
    query: sql`select tenant_id, lot_id, remaining, reserved from credit_lots where remaining < 0 or reserved < 0`,
    say: ({ tenant_id, lot_id, remaining, reserved }) =>
      `the lot ${lot_id} of ${tenant_id} is below zero: ${remaining} remain, ${reserved} are reserved`,
  },
];

/** Says in plain words which sums do not add up; empty if every balance is the sum of its entries, or if there are no books yet. */
export async function checkLedger(database: Database): Promise<string[]> {
  const pending = await database.pending(creditMigrations);
  if (pending.length > 0) return [];
  const problems: string[] = [];
  for (const { query, say } of CHECKS) {
    // One query each, which sees the books at one moment: spending in between is no problem.
    const { rows } = await database.system.read((db: CreditDb) =>
      sql<Found>`select * from (${query}) as found limit ${MOST_SHOWN}`.execute(db),
    );
    problems.push(...rows.map(say));
  }
  return problems;
}
