import { type CreditReservation, type Credits, requireCredits } from '../../src/access/credits.ts';

interface Entry {
  reservation: CreditReservation;
  charged: number | null;
  isReleased: boolean;
}

/** Of 100 credits for each tenant. Shows that the suite of ledgers can be satisfied. */
export function createMapLedger({ leaseMs = 60_000, clock = { now: (): number => 0 } } = {}) {
  const entries: Entry[] = [];
  let passed = 0;
  const now = () => clock.now() + passed;
  const isOpen = ({ charged, isReleased, reservation }: Entry) =>
    charged === null && !isReleased && (reservation.expiresAtMs ?? 0) > now();
  const heldBy = (entry: Entry) => entry.charged ?? (isOpen(entry) ? entry.reservation.amount : 0);
  const availableTo = (tenantId: string) =>
    100 -
    entries
      .filter(({ reservation }) => reservation.tenantId === tenantId)
      .reduce((sum, entry) => sum + heldBy(entry), 0);
  const entryOf = ({ tenantId, reservationId }: CreditReservation) =>
    entries.find(
      ({ reservation }) => reservation.tenantId === tenantId && reservation.reservationId === reservationId,
    );

  const credits: Credits = {
    async reserve({ tenantId, userId }, amount, operation) {
      requireCredits(amount);
      const known = entries.findLast(
        ({ reservation: { tenantId: owner, operation: same } }) =>
          owner === tenantId && same.id === operation.id,
      );
      if (known && known.charged !== null) return { outcome: 'settled', charged: known.charged };
      if (known && isOpen(known)) {
        known.reservation = { ...known.reservation, expiresAtMs: now() + leaseMs };
        return { outcome: 'reserved', reservation: known.reservation };
      }
      const available = availableTo(tenantId);
      if (amount > available) return { outcome: 'refused', needed: amount, available };
      const reservationId = String(entries.length);
      const reservation = {
        tenantId,
        userId,
        operation,
        amount,
        reservationId,
        expiresAtMs: now() + leaseMs,
      };
      entries.push({ reservation, charged: null, isReleased: false });
      return { outcome: 'reserved', reservation };
    },
    async settle(reservation, actual) {
      requireCredits(actual);
      const entry = entryOf(reservation);
      if (entry && isOpen(entry)) entry.charged = Math.min(actual, entry.reservation.amount);
      return entry && entry.charged !== null
        ? { outcome: 'settled', charged: entry.charged, remaining: availableTo(reservation.tenantId) }
        : { outcome: 'lapsed' };
    },
    async release(reservation) {
      const entry = entryOf(reservation);
      if (entry && entry.charged !== null) return { outcome: 'settled', charged: entry.charged };
      if (entry) entry.isReleased = true;
      return { outcome: 'released' };
    },
  };
  return {
    credits,
    others: credits,
    available: async () => availableTo('one'),
    passLease: () => {
      passed += leaseMs;
    },
    passHalfLease: () => {
      passed += leaseMs * 0.6;
    },
  };
}
