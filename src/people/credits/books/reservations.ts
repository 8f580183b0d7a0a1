import type { Books, Part, Reservation } from './books.ts';
import { changeReserved, giveBack } from './lots.ts';
import { memberOf } from './members.ts';
import { post } from './postings.ts';

export const isOpen = ({ openUntilMs }: Reservation, nowMs: number): boolean =>
  openUntilMs !== null && openUntilMs > nowMs;

const aboutOf = ({ userId, operationId, operation, provider, reservationId }: Reservation) => ({
  userId,
  operationId,
  operation,
  provider,
  reservationId,
});

/** A reservation is spent up to `charged`, in the order of the parts; the rest goes back. */
function divide(parts: readonly Part[], charged: number): { spent: Part[]; rest: Part[] } {
  const spent: Part[] = [];
  const rest: Part[] = [];
  let left = charged;
  for (const { lotId, amount } of parts) {
    const used = Math.min(left, amount);
    left -= used;
    spent.push({ lotId, amount: used });
    rest.push({ lotId, amount: amount - used });
  }
  return { spent, rest: rest.filter(({ amount }) => amount > 0) };
}

function close(books: Books, reservation: Reservation): void {
  reservation.openUntilMs = null;
  books.changes.reservations.add(reservation);
  const member = memberOf(books, reservation.userId);
  member.reserved -= reservation.amount;
  books.account.reserved -= reservation.amount;
}

/** Nothing of it is charged. */
export function freeReservation(books: Books, reservation: Reservation, kind: 'release' | 'lapse'): void {
  close(books, reservation);
  const entries = [
    ...changeReserved(books, reservation.parts, -1),
    ...reservation.parts.map((part) => giveBack(books, part)),
  ];
  post(books, kind, entries, aboutOf(reservation));
}

export function chargeReservation(books: Books, reservation: Reservation, charged: number): void {
  close(books, reservation);
  reservation.charged = charged;
  const { spent, rest } = divide(reservation.parts, charged);
  const entries = [
    ...changeReserved(books, reservation.parts, -1),
    ...spent.map((part) => ({ account: 'spending' as const, ...part })),
    ...rest.map((part) => giveBack(books, part)),
  ];
  post(books, 'settle', entries, aboutOf(reservation));
  books.account.spent += charged;
  memberOf(books, reservation.userId).spent += charged;
}
