import type { CreditPeriod } from '../ledger.ts';
import type { Account, Books, Lot } from './books.ts';
import { expireLot, isExpired, issue } from './lots.ts';
import { DAY_MS, endOfPeriod, monthAt } from './months.ts';
import { freeReservation, isOpen } from './reservations.ts';

const MINUTE_MS = 60_000;

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
 * Grants what the allowance has beyond what this period granted already: all of it at first, later the difference of an upgrade, for
 * the part of the period that is left, as it is paid for. A downgrade takes nothing, so no cycle of the two makes credits.
 */
export function topUp(books: Books): void {
  const { account, monthly } = books;
  const more = monthly - account.granted;
  if (more <= 0 || books.isPlanEnding) return;
  const amount = account.granted === 0 ? more : Math.ceil(more * shareLeft(account, books.nowMs));
  const reference = `grant ${account.periodStartMs} ${account.granted}`;
  account.granted = monthly;
  books.changes.account = true;
  if (amount > 0)
    issue(books, { source: 'grant', amount, expiresAtMs: account.periodEndMs, reference, userId: null });
}

/** How much of a month is left until the period ends, in begun minutes, from 0 to 1. A period that was moved may be shorter. */
function shareLeft({ anchorMs, periodEndMs }: Account, atMs: number): number {
  const { startMs, endMs } = monthAt(anchorMs, periodEndMs - 1);
  const leftMs = Math.ceil((periodEndMs - atMs) / MINUTE_MS) * MINUTE_MS;
  return Math.min(1, Math.max(0, leftMs / (endMs - startMs)));
}

/**
 * Counts months from another time from now on. The same once more changes nothing, unless the provider's clock is ahead of ours and
 * the next month has begun there.
 */
export function beginPeriod(books: Books, { startMs, anchorMs, isPaidAnew }: CreditPeriod): void {
  const { account } = books;
  if (account.anchorMs === anchorMs && startMs < account.periodEndMs && !books.isNew) return;
  const left = shareLeft(account, startMs);
  account.anchorMs = anchorMs;
  books.changes.account = true;
  // The first grant of a new account is this period's own.
  if (books.isNew) moveTo(books, startMs, anchorMs);
  // Two periods on one day would grant twice.
  else if (startMs < account.periodStartMs + DAY_MS)
    moveTo(books, Math.max(startMs, account.periodStartMs), anchorMs);
  else if (isPaidAnew) {
    const carried = Math.floor(account.granted * left);
    moveTo(books, startMs, anchorMs);
    account.granted = carried;
  } else {
    for (const lot of grantsOf(books))
      expireAt(books, lot, Math.min(lot.expiresAtMs ?? startMs, startMs, books.nowMs));
    enterPeriod(books, startMs, endOfPeriod(anchorMs, startMs));
  }
  bringUpToDate(books);
}

const grantsOf = ({ lots }: Books): Lot[] => [...lots.values()].filter(({ source }) => source === 'grant');

function expireAt({ changes }: Books, lot: Lot, atMs: number): void {
  lot.expiresAtMs = atMs;
  changes.lots.add(lot);
}

/** The period, with its grants, begins then and ends where a month does that is counted from the anchor. What has expired stays so. */
function moveTo(books: Books, startMs: number, anchorMs: number): void {
  const { account } = books;
  const endMs = endOfPeriod(anchorMs, startMs);
  if (startMs !== account.periodStartMs) account.spent = 0;
  account.periodStartMs = startMs;
  account.periodEndMs = endMs;
  for (const lot of grantsOf(books)) if (!isExpired(lot, books.nowMs)) expireAt(books, lot, endMs);
}
