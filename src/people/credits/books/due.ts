import type { CreditPeriod } from '../ledger.ts';
import type { Books } from './books.ts';
import { expireLot, isExpired, issue } from './lots.ts';
import { DAY_MS, endOfPeriod, monthAt } from './months.ts';
import { freeReservation, isOpen } from './reservations.ts';

/** Does everything whose time has come, so that whatever follows sees the tenant's credits as they are now. */
export function bringUpToDate(books: Books): void {
  endWhatIsOver(books);
  topUp(books);
}

/** Ends leases, lots and the period, and grants nothing yet. */
export function endWhatIsOver(books: Books): void {
  const { nowMs, account } = books;
  for (const reservation of books.reservations.values())
    if (reservation.openUntilMs !== null && !isOpen(reservation, nowMs))
      freeReservation(books, reservation, 'lapse');
  expireLots(books);
  if (account.periodEndMs <= nowMs) {
    // After a long sleep the months in between are skipped: their grants would have expired.
    const { startMs, endMs } = monthAt(account.anchorMs, nowMs);
    enterPeriod(books, Math.max(startMs, account.periodEndMs), endMs);
  }
}

function expireLots(books: Books): void {
  for (const lot of books.lots.values())
    if (lot.remaining > 0 && isExpired(lot, books.nowMs)) expireLot(books, lot);
}

function enterPeriod({ account, changes }: Books, startMs: number, endMs: number): void {
  account.periodStartMs = startMs;
  account.periodEndMs = endMs;
  account.granted = 0;
  account.spent = 0;
  changes.account = true;
}

/**
 * Grants what the allowance has beyond what this period granted already: all of it at first, later the difference of an upgrade. A
 * downgrade takes nothing, so no cycle of the two makes credits.
 */
export function topUp(books: Books): void {
  const { account, monthly } = books;
  const amount = monthly - account.granted;
  if (amount <= 0) return;
  const reference = `grant ${account.periodStartMs} ${account.granted}`;
  account.granted = monthly;
  issue(books, { source: 'grant', amount, expiresAtMs: account.periodEndMs, reference, userId: null });
}

/** Begins a period, unless the current one began within a day of it or later. What remains of earlier grants expires. */
export function beginPeriod(books: Books, { startMs, anchorMs }: CreditPeriod): void {
  const { account } = books;
  if (!books.isNew && account.periodStartMs > startMs - DAY_MS) return;
  const endMs = endOfPeriod(anchorMs, startMs);
  const grants = [...books.lots.values()].filter(({ source }) => source === 'grant');
  account.anchorMs = anchorMs;
  for (const lot of grants) {
    // The first grant of a new account is this period's own.
    lot.expiresAtMs = books.isNew ? endMs : Math.min(lot.expiresAtMs ?? startMs, startMs, books.nowMs);
    books.changes.lots.add(lot);
  }
  if (books.isNew) {
    account.periodStartMs = startMs;
    account.periodEndMs = endMs;
    books.changes.account = true;
  } else enterPeriod(books, startMs, endMs);
  bringUpToDate(books);
}
