/** Who spends: credits are the tenant's, and its books say which user spent them. */
export interface CreditActor {
  tenantId: string;
  userId: string;
}

/** What credits are spent on. */
export interface CreditOperation {
  /** Of this one act, unique within the tenant. Who tries again, even after a crash, gives the same one. */
  id: string;
  /** What sort of act it is, such as `ai_generate`: shown where spending is listed. */
  kind: string;
}

/** Credits that are set aside for an operation. They are whole numbers. */
export interface CreditReservation extends CreditActor {
  /** Tells it from another reservation of the same operation, before or after it. */
  reservationId: string;
  operation: CreditOperation;
  amount: number;
  /** When its lease ends, in milliseconds since the epoch; null: never. */
  expiresAtMs: number | null;
}

/** Not enough is left. Callers of the API get it as a 402. */
export interface CreditRefusal {
  outcome: 'refused';
  needed: number;
  available: number;
}

export type ReserveReply =
  | { outcome: 'reserved'; reservation: CreditReservation }
  /** The operation was paid for before: who asks has crashed, or heard no answer, after settling. */
  | { outcome: 'settled'; charged: number }
  | CreditRefusal;

export type SettleReply =
  | { outcome: 'settled'; charged: number }
  /** The reservation was released, or its lease has ended: nothing is charged. */
  | { outcome: 'lapsed' };

export type ReleaseReply =
  | { outcome: 'released' }
  /** Too late: it was settled before, and what was charged stays charged. */
  | { outcome: 'settled'; charged: number };

/**
 * Spending credits: reserve before the work, settle what it took, release when it came to nothing. A balance never goes
 * below zero, and an operation is paid for once, however often and by however many callers each call is made: a call
 * whose answer was lost may be made again.
 *
 * A reservation has a lease, so that a caller that crashed ties no credits up for ever: when it ends, the reservation
 * lapses as if it had been released. Whoever works longer reserves again for the same operation, which renews the lease.
 * What was acknowledged outlives a crash of whoever keeps the books.
 *
 * Amounts that are not whole, or below zero, are mistakes of the caller: all calls reject them with a RangeError.
 */
export interface Credits {
  /**
   * Sets credits aside. Again for an operation with an open reservation: that one, with its first amount and a new lease.
   * After it was released or lapsed: a new reservation, if there is enough.
   */
  reserve(actor: CreditActor, amount: number, operation: CreditOperation): Promise<ReserveReply>;
  /**
   * Charges what was used, but no more than was reserved, and frees the rest. Again: the first charge, whatever the
   * amount.
   */
  settle(reservation: CreditReservation, actual: number): Promise<SettleReply>;
  /** Frees all of it. Again, or after it lapsed: the same answer, and a newer reservation of the operation stays. */
  release(reservation: CreditReservation): Promise<ReleaseReply>;
}

/** Throws unless it is an amount of credits. */
export function requireCredits(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(
      `credits are whole numbers from 0 on, and ${amount} is none: round up what was used`,
    );
}

/** Where nobody counts, as in a self-hosted core. It keeps no books: what was settled or released is not remembered. */
export const unlimitedCredits: Credits = {
  async reserve(actor, amount, operation) {
    requireCredits(amount);
    const { tenantId, userId } = actor;
    const reservation = {
      tenantId,
      userId,
      operation,
      amount,
      reservationId: operation.id,
      expiresAtMs: null,
    };
    return { outcome: 'reserved', reservation };
  },
  async settle({ amount }, actual) {
    requireCredits(actual);
    return { outcome: 'settled', charged: Math.min(actual, amount) };
  },
  release: async () => ({ outcome: 'released' }),
};
