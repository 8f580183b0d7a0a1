/** Credits belong to the tenant; its ledger records which user spent them. */
export interface CreditActor {
  tenantId: string;
  userId: string;
}

export interface CreditOperation {
  /** Identifies this one act within the tenant. A retry, even after a crash, passes the same id. */
  id: string;
  /** The sort of act, such as `ai_generate`, as the list of expenses shows it. */
  kind: string;
  /** Does the work, such as a provider of models; for the list of expenses alone. */
  provider?: string | undefined;
}

export interface CreditReservation extends CreditActor {
  /** Distinguishes reservations for the same operation. */
  reservationId: string;
  operation: CreditOperation;
  amount: number;
  /** End of the lease, in milliseconds since the epoch; null if it never ends. */
  expiresAtMs: number | null;
}

/** The API replies with a 402. */
export interface CreditRefusal {
  outcome: 'refused';
  needed: number;
  available: number;
  /** Present if a quota is used up: `available` is then what is left of that. */
  reason?: 'user_quota' | 'team_quota';
  /** The tenant's credits, where `available` is less because of a quota. */
  balance?: number;
}

export type ReserveReply =
  | { outcome: 'reserved'; reservation: CreditReservation }
  /** The operation was paid for before: the caller crashed, or lost the reply, after settling. */
  | { outcome: 'settled'; charged: number }
  | CreditRefusal;

export type SettleReply =
  /** `remaining`: credits that the tenant can still reserve; -1 for any number. */
  | { outcome: 'settled'; charged: number; remaining: number }
  /** The reservation was released or its lease has ended: nothing is charged. */
  | { outcome: 'lapsed' };

export type ReleaseReply =
  | { outcome: 'released' }
  /** Too late: it was settled before, and the charge stands. */
  | { outcome: 'settled'; charged: number };

/**
 * Spending credits: reserve before the work, settle what it took, release if it came to nothing. A balance never goes below zero, and
 * an operation is paid for once, however often each call is made: a call whose reply was lost may be repeated.
 *
 * A reservation has a lease, so that a crashed caller does not tie up credits for ever: it then lapses as if released. Longer work
 * reserves again for the same operation, which renews the lease. An acknowledged call survives a crash of the ledger's process.
 *
 * Every call rejects negative or fractional amounts with a RangeError: they are mistakes of the caller.
 */
export interface Credits {
  /**
   * Sets credits aside. Repeated for an open reservation, it returns that one with its first amount and a new lease; after a release
   * or lapse it makes a new one, if there are enough credits.
   */
  reserve(actor: CreditActor, amount: number, operation: CreditOperation): Promise<ReserveReply>;
  /** Charges at most what was reserved and frees the rest. A repeated call returns the first charge, whatever the amount. */
  settle(reservation: CreditReservation, actual: number): Promise<SettleReply>;
  /** Frees the whole reservation. Repeated, or after a lapse, it returns the same and leaves a newer reservation alone. */
  release(reservation: CreditReservation): Promise<ReleaseReply>;
}

/** Throws a RangeError unless the amount is whole and not negative. */
export function requireCredits(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(
      `credits are whole numbers from 0 on, and ${amount} is none: round up what was used`,
    );
}
