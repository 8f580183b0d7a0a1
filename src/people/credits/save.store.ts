import { partsOf } from '../../kit/parts.ts';
import type { Dialect, Executor } from '../../platform/database/dialect.ts';
import type { Account, Books, Posting } from './books/books.ts';
import type {
  AccountRow,
  CreditDb,
  EntryRow,
  PostingRow,
  TotalRow,
  UsageGroup,
  UsageRow,
} from './credits.tables.ts';

const PER_INSERT = 200;

/** Writes what changed in the books of tenants that exist. */
export async function saveBooks(
  executor: Executor,
  dialect: Dialect,
  allBooks: Iterable<Books>,
): Promise<void> {
  const db = executor as CreditDb;
  const changed = [...allBooks].filter(hasChanged);
  if (changed.length === 0) return;
  await Promise.all([
    insertPostings(db, changed.flatMap(postingRows)),
    upsert(db, dialect, 'credit_entries', changed.flatMap(entryRows)),
    upsert(
      db,
      dialect,
      'credit_accounts',
      changed.map(({ account }) => accountRow(account)),
    ),
    upsert(db, dialect, 'credit_lots', changed.flatMap(lotRows)),
    upsert(db, dialect, 'credit_reservations', changed.flatMap(reservationRows)),
    upsert(db, dialect, 'credit_members', changed.flatMap(memberRows)),
    upsert(db, dialect, 'credit_answers', changed.flatMap(answerRows)),
    addUsage(db, changed.flatMap(usageRows)),
    addTotals(db, changed.flatMap(totalRows)),
  ]);
}

const hasChanged = ({ changes }: Books): boolean =>
  changes.account ||
  changes.answers.length > 0 ||
  [changes.lots, changes.reservations, changes.members].some(({ size }) => size > 0);

const KEYS = {
  credit_accounts: { conflict: ['tenant_id'], update: null },
  credit_entries: { conflict: ['tenant_id', 'seq', 'line'], update: [] },
  credit_lots: {
    conflict: ['tenant_id', 'lot_id'],
    update: ['remaining', 'reserved', 'expires_at_ms', 'is_open'],
  },
  credit_reservations: {
    conflict: ['tenant_id', 'reservation_id'],
    update: ['open_until_ms', 'charged'],
  },
  credit_members: { conflict: ['tenant_id', 'user_id'], update: null },
  credit_answers: { conflict: ['tenant_id', 'user_id', 'key'], update: [] },
} as const satisfies Record<string, { conflict: readonly string[]; update: readonly string[] | null }>;

async function upsert(
  db: CreditDb,
  dialect: Dialect,
  table: keyof typeof KEYS,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const { conflict, update } = KEYS[table];
  const columns = Object.keys(rows[0] ?? {});
  const others = columns.filter((column) => !(conflict as readonly string[]).includes(column));
  await dialect.upsert(db, table, rows, { conflict, update: update ?? others });
}

/** A number that is there already fails the whole batch: postings are never replaced. */
async function insertPostings(db: CreditDb, rows: readonly PostingRow[]): Promise<void> {
  for (const part of partsOf(rows, PER_INSERT)) await db.insertInto('credit_postings').values(part).execute();
}

async function addUsage(db: CreditDb, rows: readonly UsageRow[]): Promise<void> {
  for (const part of partsOf(rows, PER_INSERT))
    await db
      .insertInto('credit_usage')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'day', 'user_id', 'operation', 'provider', 'period_start_ms'])
          .doUpdateSet((eb) => ({
            spent: eb('credit_usage.spent', '+', eb.ref('excluded.spent')),
            operations: eb('credit_usage.operations', '+', eb.ref('excluded.operations')),
          })),
      )
      .execute();
}

async function addTotals(db: CreditDb, rows: readonly TotalRow[]): Promise<void> {
  for (const part of partsOf(rows, PER_INSERT))
    await db
      .insertInto('credit_usage_totals')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'grouping', 'day', 'name']).doUpdateSet((eb) => ({
          spent: eb('credit_usage_totals.spent', '+', eb.ref('excluded.spent')),
          operations: eb('credit_usage_totals.operations', '+', eb.ref('excluded.operations')),
        })),
      )
      .execute();
}

export const accountRow = (account: Account): AccountRow => ({
  tenant_id: account.tenantId,
  period_start_ms: account.periodStartMs,
  period_end_ms: account.periodEndMs,
  anchor_ms: account.anchorMs,
  granted: account.granted,
  spent: account.spent,
  reserved: account.reserved,
  last_seq: account.lastSeq,
  time_zone: account.timeZone,
  quota: account.quota,
});

const postingRows = ({ account: { tenantId }, changes }: Books): PostingRow[] =>
  changes.postings.map((posting) => postingRow(tenantId, posting));

const postingRow = (tenantId: string, posting: Posting): PostingRow => ({
  tenant_id: tenantId,
  seq: posting.seq,
  kind: posting.kind,
  at_ms: posting.atMs,
  day: posting.day,
  period_start_ms: posting.periodStartMs,
  user_id: posting.userId ?? null,
  operation_id: posting.operationId ?? null,
  operation: posting.operation ?? null,
  provider: posting.provider ?? null,
  reservation_id: posting.reservationId ?? null,
  reference: posting.reference ?? null,
});

const entryRows = ({ account: { tenantId }, changes }: Books): EntryRow[] =>
  changes.postings.flatMap(({ seq, entries }) =>
    entries.map(({ account, lotId, amount }, line) => ({
      tenant_id: tenantId,
      seq,
      line,
      account,
      lot_id: lotId,
      amount,
    })),
  );

const lotRows = ({ account: { tenantId }, changes }: Books) =>
  [...changes.lots].map((lot) => ({
    tenant_id: tenantId,
    lot_id: lot.lotId,
    source: lot.source,
    amount: lot.amount,
    remaining: lot.remaining,
    reserved: lot.reserved,
    expires_at_ms: lot.expiresAtMs,
    reference: lot.reference,
    user_id: lot.userId,
    is_open: lot.remaining > 0 || lot.reserved > 0 ? 1 : 0,
  }));

const reservationRows = ({ account: { tenantId }, changes }: Books) =>
  [...changes.reservations].map((each) => ({
    tenant_id: tenantId,
    reservation_id: each.reservationId,
    user_id: each.userId,
    operation_id: each.operationId,
    operation: each.operation,
    provider: each.provider,
    amount: each.amount,
    parts: JSON.stringify(each.parts),
    created_at_ms: each.createdAtMs,
    open_until_ms: each.openUntilMs,
    charged: each.charged,
  }));

const memberRows = ({ account: { tenantId }, changes }: Books) =>
  [...changes.members].map((member) => ({
    tenant_id: tenantId,
    user_id: member.userId,
    quota: member.quota,
    period_start_ms: member.periodStartMs,
    spent: member.spent,
    reserved: member.reserved,
  }));

const answerRows = ({ account: { tenantId }, changes }: Books) =>
  changes.answers.map((answer) => ({
    tenant_id: tenantId,
    user_id: answer.userId,
    key: answer.key,
    request: answer.request,
    answer: answer.answer,
    created_at_ms: answer.createdAtMs,
  }));

const usageRows = ({ account: { tenantId }, changes }: Books): UsageRow[] =>
  [...changes.usage.values()].map((usage) => ({
    tenant_id: tenantId,
    day: usage.day,
    user_id: usage.userId,
    operation: usage.operation,
    provider: usage.provider,
    period_start_ms: usage.periodStartMs,
    spent: usage.spent,
    operations: usage.operations,
  }));

/** One row for each key: a statement cannot add to the same row twice. */
function totalRows({ account: { tenantId }, changes }: Books): TotalRow[] {
  const rows = new Map<string, TotalRow>();
  for (const { day, userId: user, operation, provider, spent, operations } of changes.usage.values())
    for (const [grouping, name] of Object.entries({ day: '', user, operation, provider })) {
      const key = JSON.stringify([grouping, day, name]);
      const row = rows.get(key) ?? {
        tenant_id: tenantId,
        grouping: grouping as UsageGroup,
        day,
        name,
        spent: 0,
        operations: 0,
      };
      rows.set(key, { ...row, spent: row.spent + spent, operations: row.operations + operations });
    }
  return [...rows.values()];
}
