import { type Credits, requireCredits } from '../../src/access/credits.ts';

/** Nobody counts. It keeps no ledger, so nothing settled or released is remembered. */
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
    return { outcome: 'settled', charged: Math.min(actual, amount), remaining: -1 };
  },
  release: async () => ({ outcome: 'released' }),
};
