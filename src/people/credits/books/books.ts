import type { CreditSource } from '../ledger.ts';

/**
 * The books of credits. An amount leaves one account and enters others, so the entries of a posting sum to zero. `issued` and
 * `unlimited` are where credits come from, and below zero: what tenants were given, and what they spent without a limit.
 */
export type BookAccount =
  | 'issued'
  | 'unlimited'
  | 'grants'
  | 'promotions'
  | 'purchases'
  | 'reservations'
  | 'spending'
  | 'expiry';

export const ACCOUNT_OF: Readonly<Record<CreditSource, BookAccount>> = {
  grant: 'grants',
  promotion: 'promotions',
  purchase: 'purchases',
};

/** Stands for the lot of credits that are in none: those of a tenant without a limit. */
export const NO_LOT = 0;

/** Credits that came together and expire together. */
export interface Lot {
  /** The number of the posting that issued it. */
  lotId: number;
  source: CreditSource;
  amount: number;
  /** Neither spent, reserved nor expired. */
  remaining: number;
  reserved: number;
  expiresAtMs: number | null;
  reference: string;
  userId: string | null;
}

export interface Part {
  lotId: number;
  amount: number;
}

export interface Reservation {
  /** The number of the posting that made it. */
  reservationId: number;
  userId: string;
  operationId: string;
  operation: string;
  provider: string;
  amount: number;
  /** In the order in which they are spent. */
  parts: readonly Part[];
  createdAtMs: number;
  /** Null once it is settled, released or lapsed. */
  openUntilMs: number | null;
  /** Null unless it is settled. */
  charged: number | null;
}

/** A tenant's row. */
export interface Account {
  tenantId: string;
  periodStartMs: number;
  periodEndMs: number;
  anchorMs: number;
  /** The credits a month up to which this period has granted. */
  granted: number;
  /** In this period. */
  spent: number;
  /** By all open reservations. */
  reserved: number;
  /** The number of the last posting. */
  lastSeq: number;
  /** IANA name; it says which day it is. */
  timeZone: string;
  quota: number | null;
}

export interface Member {
  userId: string;
  quota: number | null;
  /** The period to which `spent` belongs. */
  periodStartMs: number;
  spent: number;
  reserved: number;
}

/** The answer to a request with an `Idempotency-Key`. */
export interface Answer {
  userId: string;
  key: string;
  /** Digest of the request. */
  request: string;
  /** JSON. */
  answer: string;
  createdAtMs: number;
}

export interface Entry {
  account: BookAccount;
  lotId: number;
  amount: number;
}

export interface About {
  userId?: string | null;
  operationId?: string | null;
  operation?: string | null;
  provider?: string | null;
  reservationId?: number | null;
  /** Its cause, such as a checkout or the reason of a correction. */
  reference?: string | null;
}

export interface Posting extends About {
  seq: number;
  kind: 'issue' | 'reserve' | 'settle' | 'release' | 'lapse' | 'spend' | 'expire' | 'correct';
  atMs: number;
  /** The tenant's day, of spending alone. */
  day: string | null;
  periodStartMs: number;
  entries: readonly Entry[];
}

export interface UsageKey {
  day: string;
  userId: string;
  operation: string;
  provider: string;
  periodStartMs: number;
}

export interface Usage extends UsageKey {
  spent: number;
  operations: number;
}

/** The rows to be written; those of the account itself always are if any is. */
export interface Changes {
  postings: Posting[];
  lots: Set<Lot>;
  reservations: Set<Reservation>;
  members: Set<Member>;
  answers: Answer[];
  usage: Map<string, Usage>;
  account: boolean;
}

/** A tenant's state as loaded for a batch. The functions of this folder change it and note what is to be written. */
export interface Books {
  nowMs: number;
  /** Credits a month; -1 for no limit. */
  monthly: number;
  /** Nothing is granted, since `monthly` is about to change. */
  isPlanEnding: boolean;
  /** False for a tenant that does not exist: nothing is written. */
  isReal: boolean;
  /** Its row was made in this transaction. */
  isNew: boolean;
  account: Account;
  /** Those with anything remaining or reserved. */
  lots: Map<number, Lot>;
  /** Those that the batch touches, and the ones whose lease has ended. */
  reservations: Map<number, Reservation>;
  members: Map<string, Member>;
  /** By `answerKey`. */
  answers: Map<string, Answer>;
  changes: Changes;
}

export const answerKey = (userId: string, key: string): string => `${userId}\n${key}`;

export const noChanges = (): Changes => ({
  postings: [],
  lots: new Set(),
  reservations: new Set(),
  members: new Set(),
  answers: [],
  usage: new Map(),
  account: false,
});

export const isUnlimited = ({ monthly }: Pick<Books, 'monthly'>): boolean => monthly < 0;

/** The rest of grants, promotions and purchases. */
export const balanceOf = ({ lots }: Books): number =>
  lots.values().reduce((sum, { remaining }) => sum + remaining, 0);
