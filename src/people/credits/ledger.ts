import type { Credits } from '../../access/credits.ts';
import type { Executor } from '../../platform/database/dialect.ts';

/** Where credits come from. Those that expire first are spent first; among equals in this order. */
export const CREDIT_SOURCES = ['grant', 'promotion', 'purchase'] as const;
export type CreditSource = (typeof CREDIT_SOURCES)[number];

/** Credits that a tenant gets besides its monthly grant. */
export interface CreditAddition {
  tenantId: string;
  source: 'promotion' | 'purchase';
  amount: number;
  /** Null if they never expire. */
  expiresAtMs: number | null;
  /** Names what they are for, such as a checkout; the same reference is booked once for a tenant. */
  reference: string;
  /** The person who caused it, if it was one. */
  userId: string | null;
}

/** The months of a tenant's grants. */
export interface CreditPeriod {
  tenantId: string;
  startMs: number;
  /** Every later period begins on its day of the month and its time of day, or on the last day of a shorter month. */
  anchorMs: number;
  /** The rest of the period before was paid back: its grants stay and count for this one. */
  isPaidAnew: boolean;
}

/** The limits of a tenant's month: read afresh by each operation, so that a change of plan counts at once. */
export interface Allowance {
  /** Credits a month for the tenant as a whole; -1 for no limit. */
  monthly: number;
  /** A plan has ended and will be taken away at any moment: until then nothing is granted for it. */
  isPlanEnding: boolean;
}

/** The allowances of those tenants that exist. */
export type ReadAllowances = (
  db: Executor,
  tenantIds: readonly string[],
) => Promise<ReadonlyMap<string, Allowance>>;

/** The ledger as other modules of this wing use it; both calls take part in the caller's transaction. */
export interface CreditBooks {
  /** False if that reference was booked before. */
  add(db: Executor, addition: CreditAddition): Promise<boolean>;
  /** Counts the tenant's months from this period on, with its grant, unless they are counted from its anchor already. */
  beginPeriod(db: Executor, period: CreditPeriod): Promise<void>;
  /** Promotions that were booked under this reference expire at another time. */
  extend(db: Executor, tenantId: string, reference: string, expiresAtMs: number): Promise<void>;
}

export type Ledger = Credits & CreditBooks;
