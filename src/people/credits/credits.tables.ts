import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { BookAccount, Posting } from './books/books.ts';
import type { CreditSource } from './ledger.ts';

export interface AccountRow {
  tenant_id: string;
  period_start_ms: number;
  period_end_ms: number;
  anchor_ms: number;
  granted: number;
  spent: number;
  reserved: number;
  last_seq: number;
  time_zone: string;
  quota: number | null;
}

export interface LotRow {
  tenant_id: string;
  lot_id: number;
  source: CreditSource;
  amount: number;
  remaining: number;
  reserved: number;
  expires_at_ms: number | null;
  reference: string;
  user_id: string | null;
  /** 1 while anything remains or is reserved. */
  is_open: number;
}

export interface ReservationRow {
  tenant_id: string;
  reservation_id: number;
  user_id: string;
  operation_id: string;
  operation: string;
  provider: string;
  amount: number;
  /** JSON. */
  parts: string;
  created_at_ms: number;
  open_until_ms: number | null;
  charged: number | null;
}

export interface MemberRow {
  tenant_id: string;
  user_id: string;
  quota: number | null;
  period_start_ms: number;
  spent: number;
  reserved: number;
}

export interface PostingRow {
  tenant_id: string;
  seq: number;
  kind: Posting['kind'];
  at_ms: number;
  day: string | null;
  period_start_ms: number;
  user_id: string | null;
  operation_id: string | null;
  operation: string | null;
  provider: string | null;
  reservation_id: number | null;
  reference: string | null;
}

export interface EntryRow {
  tenant_id: string;
  seq: number;
  line: number;
  account: BookAccount;
  lot_id: number;
  amount: number;
}

export interface UsageRow {
  tenant_id: string;
  day: string;
  user_id: string;
  operation: string;
  provider: string;
  period_start_ms: number;
  spent: number;
  operations: number;
}

export type UsageGroup = 'day' | 'user' | 'operation' | 'provider';

/** Sums of `credit_usage` by one thing alone, so that a list over a year adds up a few rows a day. */
export interface TotalRow {
  tenant_id: string;
  grouping: UsageGroup;
  day: string;
  /** The user's id and so on; empty where the day is all that counts. */
  name: string;
  spent: number;
  operations: number;
}

export interface AnswerRow {
  tenant_id: string;
  user_id: string;
  key: string;
  request: string;
  answer: string;
  created_at_ms: number;
}

export interface CreditTables {
  credit_accounts: AccountRow;
  credit_lots: LotRow;
  credit_reservations: ReservationRow;
  credit_members: MemberRow;
  credit_postings: PostingRow;
  credit_entries: EntryRow;
  credit_usage: UsageRow;
  credit_usage_totals: TotalRow;
  credit_answers: AnswerRow;
}
export type CreditDb = Kysely<CreditTables>;

export const creditMigrations: readonly Migration[] = [
  {
    name: 'credits-1',
    async up(db, { text, bigint }) {
      const { schema } = db;
      await createTable(schema, 'credit_accounts', [
        key(text, 'tenant_id'),
        notNull(bigint, 'period_start_ms', 'period_end_ms', 'anchor_ms'),
        notNull(bigint, 'granted', 'spent', 'reserved', 'last_seq'),
        notNull(text, 'time_zone'),
        nullable(bigint, 'quota'),
      ]);
      await createIndex(schema, 'credit_accounts_due', 'credit_accounts', ['period_end_ms']);
      await createTable(schema, 'credit_lots', [
        notNull(text, 'tenant_id'),
        notNull(bigint, 'lot_id'),
        notNull(text, 'source'),
        notNull(bigint, 'amount', 'remaining', 'reserved'),
        nullable(bigint, 'expires_at_ms'),
        notNull(text, 'reference'),
        nullable(text, 'user_id'),
        notNull('integer', 'is_open'),
        keyOf('tenant_id', 'lot_id'),
        (table) => table.addUniqueConstraint('credit_lots_reference', ['tenant_id', 'reference']),
      ]);
      await createIndex(schema, 'credit_lots_open', 'credit_lots', ['tenant_id', 'is_open']);
      await sql`create index credit_lots_due on credit_lots (expires_at_ms) where is_open = 1`.execute(db);
      await createTable(schema, 'credit_reservations', [
        notNull(text, 'tenant_id'),
        notNull(bigint, 'reservation_id'),
        notNull(text, 'user_id', 'operation_id', 'operation', 'provider'),
        notNull(bigint, 'amount'),
        notNull(text, 'parts'),
        notNull(bigint, 'created_at_ms'),
        nullable(bigint, 'open_until_ms', 'charged'),
        keyOf('tenant_id', 'reservation_id'),
      ]);
      await createIndex(schema, 'credit_reservations_operation', 'credit_reservations', [
        'operation_id',
        'tenant_id',
      ]);
      // Of the open ones alone, which are few.
      await sql`create index credit_reservations_open on credit_reservations (tenant_id, open_until_ms)
        where open_until_ms is not null`.execute(db);
      await createTable(schema, 'credit_members', [
        notNull(text, 'tenant_id', 'user_id'),
        nullable(bigint, 'quota'),
        notNull(bigint, 'period_start_ms', 'spent', 'reserved'),
        keyOf('tenant_id', 'user_id'),
      ]);
    },
  },
  {
    name: 'credits-2-postings',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'credit_postings', [
        notNull(text, 'tenant_id'),
        notNull(bigint, 'seq'),
        notNull(text, 'kind'),
        notNull(bigint, 'at_ms', 'period_start_ms'),
        nullable(text, 'day', 'user_id', 'operation_id', 'operation', 'provider'),
        nullable(bigint, 'reservation_id'),
        nullable(text, 'reference'),
        keyOf('tenant_id', 'seq'),
      ]);
      await createTable(schema, 'credit_entries', [
        notNull(text, 'tenant_id'),
        notNull(bigint, 'seq'),
        notNull('integer', 'line'),
        notNull(text, 'account'),
        notNull(bigint, 'lot_id', 'amount'),
        keyOf('tenant_id', 'seq', 'line'),
      ]);
      await createTable(schema, 'credit_usage', [
        notNull(text, 'tenant_id', 'day', 'user_id', 'operation', 'provider'),
        notNull(bigint, 'period_start_ms', 'spent', 'operations'),
        keyOf('tenant_id', 'day', 'user_id', 'operation', 'provider', 'period_start_ms'),
      ]);
      await createTable(schema, 'credit_usage_totals', [
        notNull(text, 'tenant_id', 'grouping', 'day', 'name'),
        notNull(bigint, 'spent', 'operations'),
        keyOf('tenant_id', 'grouping', 'day', 'name'),
      ]);
      await createTable(schema, 'credit_answers', [
        notNull(text, 'tenant_id', 'user_id', 'key', 'request', 'answer'),
        notNull(bigint, 'created_at_ms'),
        keyOf('tenant_id', 'user_id', 'key'),
      ]);
      await createIndex(schema, 'credit_answers_created', 'credit_answers', ['created_at_ms']);
    },
  },
];
