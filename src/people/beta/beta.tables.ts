import type { Kysely } from 'kysely';
import type { PlanName } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';
import type { FeedbackCategory, FeedbackStatus, WaitlistState } from './states.contract.ts';

/** Times are milliseconds since the epoch. */
export interface CodeRow {
  code_id: string;
  /** SHA-256 of the code, which itself is not stored. */
  code_hash: string;
  hint: string;
  max_uses: number;
  uses: number;
  plan: PlanName;
  /** How long the access lasts. */
  days: number;
  credits: number;
  /** A JSON object of flags. */
  features: string;
  cohort: string | null;
  note: string | null;
  /** Where it was mailed. */
  email: string | null;
  created_by: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** One tenant's use of one code. It keeps what the code gave. */
export interface RedemptionRow {
  redemption_id: string;
  code_id: string;
  tenant_id: string;
  /** Null once the person's account is deleted. */
  user_id: string | null;
  plan: PlanName;
  credits: number;
  features: string;
  cohort: string | null;
  redeemed_at: number;
  ends_at: number;
  withdrawn_at: number | null;
}

export interface FeedbackRow {
  feedback_id: string;
  tenant_id: string;
  /** Null once the person's account is deleted. */
  user_id: string | null;
  cohort: string | null;
  category: FeedbackCategory;
  message: string;
  /** The message in lower case, for searching. */
  folded: string;
  rating: number | null;
  page: string | null;
  /** A JSON object. */
  entity: string | null;
  screenshot_asset_id: string | null;
  project_id: string | null;
  status: FeedbackStatus;
  answer: string | null;
  answered_at: number | null;
  note: string | null;
  created_at: number;
  updated_at: number;
}

export interface WaitlistRow {
  entry_id: string;
  email: string;
  name: string | null;
  about: string | null;
  /** SHA-256 of the token in the newest mail. */
  token_hash: string;
  referral_code: string;
  /** The entry of whoever recommended the programme. */
  referred_by: string | null;
  /** Confirmed ones. */
  referrals: number;
  state: WaitlistState;
  cohort: string | null;
  code_id: string | null;
  joined_at: number;
  /** The newest mail with a token. */
  mailed_at: number;
  confirmed_at: number | null;
  promoted_at: number | null;
  /** The lowest is next. */
  rank_at: number;
}

/** Somebody asked to join, and no answer has been mailed yet. */
export interface WaitlistRequestRow {
  request_id: string;
  email: string;
  name: string | null;
  about: string | null;
  referral_code: string | null;
  asked_at: number;
}

export interface BetaTables {
  beta_codes: CodeRow;
  beta_redemptions: RedemptionRow;
  /** A single row: who changes it is alone with everybody's access until the transaction ends. */
  beta_turn: { taken: number };
  beta_feedback: FeedbackRow;
  beta_waitlist: WaitlistRow;
  beta_waitlist_requests: WaitlistRequestRow;
}

export const betaMigrations: readonly Migration[] = [
  {
    name: 'beta-1-codes',
    async up(db, { text, bigint }) {
      const { schema } = db;
      await createTable(schema, 'beta_codes', [
        key(text, 'code_id'),
        (table) => table.addColumn('code_hash', text, (column) => column.notNull().unique()),
        notNull(text, 'hint', 'plan', 'features'),
        notNull('integer', 'max_uses', 'uses', 'days', 'credits'),
        nullable(text, 'cohort', 'note', 'email', 'created_by'),
        notNull(bigint, 'created_at'),
        nullable(bigint, 'expires_at', 'revoked_at'),
      ]);
      await createIndex(schema, 'beta_codes_cohort', 'beta_codes', ['cohort', 'created_at']);
      await createTable(schema, 'beta_redemptions', [
        key(text, 'redemption_id'),
        notNull(text, 'code_id', 'tenant_id', 'plan', 'features'),
        nullable(text, 'user_id', 'cohort'),
        notNull('integer', 'credits'),
        notNull(bigint, 'redeemed_at', 'ends_at'),
        nullable(bigint, 'withdrawn_at'),
        (table) => table.addUniqueConstraint('beta_redemptions_once', ['code_id', 'tenant_id']),
      ]);
      await createIndex(schema, 'beta_redemptions_tenant', 'beta_redemptions', ['tenant_id']);
      await createIndex(schema, 'beta_redemptions_cohort', 'beta_redemptions', ['cohort']);
      await createIndex(schema, 'beta_redemptions_user', 'beta_redemptions', ['user_id']);
      await createTable(schema, 'beta_turn', [notNull(bigint, 'taken')]);
      await (db as Kysely<BetaTables>).insertInto('beta_turn').values({ taken: 0 }).execute();
    },
  },
  {
    name: 'beta-2-feedback',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'beta_feedback', [
        key(text, 'feedback_id'),
        notNull(text, 'tenant_id', 'category', 'message', 'folded', 'status'),
        nullable('integer', 'rating'),
        nullable(text, 'user_id', 'cohort', 'page', 'entity', 'screenshot_asset_id', 'project_id'),
        nullable(text, 'answer', 'note'),
        nullable(bigint, 'answered_at'),
        notNull(bigint, 'created_at', 'updated_at'),
      ]);
      await createIndex(schema, 'beta_feedback_time', 'beta_feedback', ['created_at', 'feedback_id']);
      await createIndex(schema, 'beta_feedback_user', 'beta_feedback', ['user_id', 'created_at']);
      await createIndex(schema, 'beta_feedback_tenant', 'beta_feedback', ['tenant_id']);
    },
  },
  {
    name: 'beta-3-waitlist',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'beta_waitlist', [
        key(text, 'entry_id'),
        (table) =>
          ['email', 'token_hash', 'referral_code'].reduce(
            (all, name) => all.addColumn(name, text, (column) => column.notNull().unique()),
            table,
          ),
        nullable(text, 'name', 'about', 'referred_by', 'cohort', 'code_id'),
        notNull('integer', 'referrals'),
        notNull(text, 'state'),
        notNull(bigint, 'joined_at', 'mailed_at', 'rank_at'),
        nullable(bigint, 'confirmed_at', 'promoted_at'),
      ]);
      await createIndex(schema, 'beta_waitlist_rank', 'beta_waitlist', ['state', 'rank_at', 'entry_id']);
      await createTable(schema, 'beta_waitlist_requests', [
        key(text, 'request_id'),
        notNull(text, 'email'),
        nullable(text, 'name', 'about', 'referral_code'),
        notNull(bigint, 'asked_at'),
      ]);
      await createIndex(schema, 'beta_waitlist_requests_time', 'beta_waitlist_requests', ['asked_at']);
    },
  },
];
