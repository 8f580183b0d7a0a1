import { sql } from 'kysely';
import type { Dialect, Executor } from '../../platform/database/dialect.ts';
import {
  type Account,
  type Answer,
  answerKey,
  type Books,
  type Lot,
  type Member,
  noChanges,
  type Reservation,
} from './books/books.ts';
import { addMonths } from './books/months.ts';
import type {
  AccountRow,
  AnswerRow,
  CreditDb,
  CreditTables,
  LotRow,
  MemberRow,
  ReservationRow,
} from './credits.tables.ts';
import type { Allowance, ReadAllowances } from './ledger.ts';
import { accountRow } from './save.store.ts';

/** Says what to load of a tenant besides its account and the rest of its credits. */
export interface Needs {
  userIds: readonly string[];
  operationIds: readonly string[];
  reservationIds: readonly number[];
  /** Keys of requests that are answered once. */
  keys: readonly string[];
  references: readonly string[];
}

interface Tenants {
  needs: ReadonlyMap<string, Needs>;
  dialect: Dialect;
  readAllowances: ReadAllowances;
  nowMs: number;
}

/** More that lapsed at once are found by the next operation. */
const MOST_LAPSED = 500;

/**
 * Loads the books of tenants and keeps every other transaction out of them until the end of this one. Tenants that do not exist get
 * books that are not to be written.
 */
export async function loadBooks(executor: Executor, tenants: Tenants): Promise<Map<string, Books>> {
  const db = executor as CreditDb;
  const { needs, nowMs } = tenants;
  const { rows, made, allowances } = await lockAccounts(db, tenants);
  const [lots, reservations, answers] = await Promise.all([
    loadLots(db, needs),
    loadReservations(db, tenants),
    loadEach(db, 'credit_answers', 'key', idsOf(needs, 'keys')),
  ]);
  const users = idsOf(needs, 'userIds');
  for (const { tenant_id, user_id } of reservations) users.get(tenant_id)?.add(user_id);
  const members = await loadEach(db, 'credit_members', 'user_id', users);
  const books = new Map(
    [...needs.keys()].map((tenantId): [string, Books] => {
      const { monthly, isPlanEnding } = allowances.get(tenantId) ?? NOTHING;
      const row = rows.get(tenantId);
      const account = row ? accountOf(row) : newAccount(tenantId, nowMs);
      const isReal = row !== undefined;
      const isNew = made.has(tenantId);
      return [tenantId, emptyBooks({ nowMs, monthly, isPlanEnding, account, isReal, isNew })];
    }),
  );
  for (const row of lots) books.get(row.tenant_id)?.lots.set(row.lot_id, lotFrom(row));
  for (const row of reservations)
    books.get(row.tenant_id)?.reservations.set(row.reservation_id, reservationOf(row));
  for (const row of members) books.get(row.tenant_id)?.members.set(row.user_id, memberFrom(row));
  for (const row of answers)
    books.get(row.tenant_id)?.answers.set(answerKey(row.user_id, row.key), answerOf(row));
  return books;
}

/** The rows of each tenant that one of its own values names: together in one query, and each by the index. */
async function loadEach<
  Table extends 'credit_lots' | 'credit_reservations' | 'credit_members' | 'credit_answers',
>(
  db: CreditDb,
  table: Table,
  column: keyof CreditTables[Table] & string,
  values: ReadonlyMap<string, ReadonlySet<string | number>>,
): Promise<CreditTables[Table][]> {
  const wanted = [...values].filter(([, each]) => each.size > 0);
  if (wanted.length === 0) return [];
  const isWanted = wanted.map(
    ([tenantId, each]) =>
      sql<boolean>`(tenant_id = ${tenantId} and ${sql.ref(column)} in (${sql.join([...each])}))`,
  );
  const query = sql<
    CreditTables[Table]
  >`select * from ${sql.table(table)} where ${sql.join(isWanted, sql` or `)}`;
  return (await query.execute(db)).rows;
}

const idsOf = <Name extends keyof Needs>(
  needs: ReadonlyMap<string, Needs>,
  name: Name,
): Map<string, Set<Needs[Name][number]>> =>
  new Map([...needs].map(([tenantId, each]) => [tenantId, new Set<Needs[Name][number]>(each[name])]));

interface Locked {
  rows: Map<string, AccountRow>;
  /** Those whose row was made just now. */
  made: ReadonlySet<string>;
  allowances: ReadonlyMap<string, Allowance>;
}

async function lockAccounts(
  db: CreditDb,
  { needs, dialect, readAllowances, nowMs }: Tenants,
): Promise<Locked> {
  const ids = [...needs.keys()].sort();
  const lock = () =>
    db
      .selectFrom('credit_accounts')
      .selectAll()
      .where('tenant_id', 'in', ids)
      // In one order everywhere, so that two batches do not wait for each other.
      .orderBy('tenant_id')
      .modifyEnd(dialect.forUpdate)
      .execute();
  let rows = await lock();
  // After the lock: whoever changed a plan before it counts.
  const allowances = await readAllowances(db, ids);
  const known = new Set(rows.map(({ tenant_id }) => tenant_id));
  const missing = ids.filter((id) => !known.has(id) && allowances.has(id));
  if (missing.length > 0) {
    const fresh = missing.map((tenantId) => accountRow(newAccount(tenantId, nowMs)));
    await dialect.upsert(db, 'credit_accounts', fresh, { conflict: ['tenant_id'], update: [] });
    rows = await lock();
  }
  // Another process may have made it in between.
  const made = rows.filter(({ tenant_id, last_seq }) => missing.includes(tenant_id) && last_seq === 0);
  return {
    rows: new Map(rows.map((row) => [row.tenant_id, row])),
    made: new Set(made.map(({ tenant_id }) => tenant_id)),
    allowances,
  };
}

const newAccount = (tenantId: string, nowMs: number): Account => ({
  tenantId,
  periodStartMs: nowMs,
  periodEndMs: addMonths(nowMs, 1),
  anchorMs: nowMs,
  granted: 0,
  spent: 0,
  reserved: 0,
  lastSeq: 0,
  timeZone: 'UTC',
  quota: null,
});

const NOTHING: Allowance = { monthly: 0, isPlanEnding: false };

type Known = Pick<Books, 'nowMs' | 'monthly' | 'isPlanEnding' | 'account' | 'isReal' | 'isNew'>;

const emptyBooks = (known: Known): Books => ({
  ...known,
  lots: new Map(),
  reservations: new Map(),
  members: new Map(),
  answers: new Map(),
  changes: noChanges(),
});

async function loadLots(db: CreditDb, needs: ReadonlyMap<string, Needs>): Promise<LotRow[]> {
  const open = db
    .selectFrom('credit_lots')
    .selectAll()
    .where('tenant_id', 'in', [...needs.keys()])
    .where('is_open', '=', 1)
    .execute();
  const named = loadEach(db, 'credit_lots', 'reference', idsOf(needs, 'references'));
  return (await Promise.all([open, named])).flat();
}

async function loadReservations(db: CreditDb, { needs, nowMs }: Tenants): Promise<ReservationRow[]> {
  const lapsed = db
    .selectFrom('credit_reservations')
    .selectAll()
    .where('tenant_id', 'in', [...needs.keys()])
    .where('open_until_ms', '<=', nowMs)
    .limit(MOST_LAPSED)
    .execute();
  const parts = await Promise.all([
    lapsed,
    loadEach(db, 'credit_reservations', 'operation_id', idsOf(needs, 'operationIds')),
    loadEach(db, 'credit_reservations', 'reservation_id', idsOf(needs, 'reservationIds')),
  ]);
  return parts.flat();
}

const accountOf = (row: AccountRow): Account => ({
  tenantId: row.tenant_id,
  periodStartMs: row.period_start_ms,
  periodEndMs: row.period_end_ms,
  anchorMs: row.anchor_ms,
  granted: row.granted,
  spent: row.spent,
  reserved: row.reserved,
  lastSeq: row.last_seq,
  timeZone: row.time_zone,
  quota: row.quota,
});

const lotFrom = (row: LotRow): Lot => ({
  lotId: row.lot_id,
  source: row.source,
  amount: row.amount,
  remaining: row.remaining,
  reserved: row.reserved,
  expiresAtMs: row.expires_at_ms,
  reference: row.reference,
  userId: row.user_id,
});

const reservationOf = (row: ReservationRow): Reservation => ({
  reservationId: row.reservation_id,
  userId: row.user_id,
  operationId: row.operation_id,
  operation: row.operation,
  provider: row.provider,
  amount: row.amount,
  parts: JSON.parse(row.parts),
  createdAtMs: row.created_at_ms,
  openUntilMs: row.open_until_ms,
  charged: row.charged,
});

const memberFrom = (row: MemberRow): Member => ({
  userId: row.user_id,
  quota: row.quota,
  periodStartMs: row.period_start_ms,
  spent: row.spent,
  reserved: row.reserved,
});

const answerOf = (row: AnswerRow): Answer => ({
  userId: row.user_id,
  key: row.key,
  request: row.request,
  answer: row.answer,
  createdAtMs: row.created_at_ms,
});
