import { CREDIT_SOURCES, type CreditAddition, type CreditSource } from '../ledger.ts';
import { ACCOUNT_OF, type Books, type Entry, isUnlimited, type Lot, NO_LOT, type Part } from './books.ts';
import { post } from './postings.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Those that expire first come first; among equals grants, then promotions, then purchases, then the eldest. */
const inOrder = (one: Lot, other: Lot): number => {
  const [ends, otherEnds] = [one.expiresAtMs ?? NEVER, other.expiresAtMs ?? NEVER];
  if (ends !== otherEnds) return ends < otherEnds ? -1 : 1;
  const rank = CREDIT_SOURCES.indexOf(one.source) - CREDIT_SOURCES.indexOf(other.source);
  return rank === 0 ? one.lotId - other.lotId : rank;
};

export const lotsInOrder = ({ lots }: Books): Lot[] => [...lots.values()].sort(inOrder);

export const isExpired = ({ expiresAtMs }: Lot, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs;

/** A missing lot was lost by other means than the ledger's: `canonry doctor` says more. */
function lotOf(books: Books, lotId: number): Lot {
  const lot = books.lots.get(lotId);
  if (lot) return lot;
  throw new Error(`the credits of ${books.account.tenantId} have no lot ${lotId}`);
}

/** The parts that an amount takes from the lots, with the lots as they are. There must be enough, unless there is no limit. */
export function partsFor(books: Books, amount: number): Part[] {
  if (amount === 0) return [];
  if (isUnlimited(books)) return [{ lotId: NO_LOT, amount }];
  const parts: Part[] = [];
  let missing = amount;
  for (const { lotId, remaining } of lotsInOrder(books)) {
    const taken = Math.min(missing, remaining);
    if (taken > 0) parts.push({ lotId, amount: taken });
    missing -= taken;
  }
  if (missing > 0) throw new Error(`${books.account.tenantId} lacks ${missing} credits`);
  return parts;
}

/** Takes the parts out of their lots. */
export function takeParts(books: Books, parts: readonly Part[]): Entry[] {
  return parts.map(({ lotId, amount }) => {
    if (lotId === NO_LOT) return { account: 'unlimited', lotId, amount: -amount };
    const lot = lotOf(books, lotId);
    lot.remaining -= amount;
    books.changes.lots.add(lot);
    return { account: ACCOUNT_OF[lot.source], lotId, amount: -amount };
  });
}

/** Puts a reserved amount back where it came from; what has expired meanwhile is gone. */
export function giveBack(books: Books, { lotId, amount }: Part): Entry {
  if (lotId === NO_LOT) return { account: 'unlimited', lotId, amount };
  const lot = lotOf(books, lotId);
  if (isExpired(lot, books.nowMs)) return { account: 'expiry', lotId, amount };
  lot.remaining += amount;
  books.changes.lots.add(lot);
  return { account: ACCOUNT_OF[lot.source], lotId, amount };
}

export function changeReserved(books: Books, parts: readonly Part[], sign: 1 | -1): Entry[] {
  return parts.map(({ lotId, amount }) => {
    if (lotId !== NO_LOT) {
      const lot = lotOf(books, lotId);
      lot.reserved += sign * amount;
      books.changes.lots.add(lot);
    }
    return { account: 'reservations', lotId, amount: sign * amount };
  });
}

export function expireLot(books: Books, lot: Lot): void {
  const { lotId, remaining, source } = lot;
  lot.remaining = 0;
  books.changes.lots.add(lot);
  const entries: Entry[] = [
    { account: ACCOUNT_OF[source], lotId, amount: -remaining },
    { account: 'expiry', lotId, amount: remaining },
  ];
  post(books, 'expire', entries, { reference: lot.reference });
}

export interface NewLot extends Pick<CreditAddition, 'amount' | 'expiresAtMs' | 'reference' | 'userId'> {
  source: CreditSource;
}

export function issue(books: Books, lot: NewLot, kind: 'issue' | 'correct' = 'issue'): void {
  const { source, amount, reference, userId } = lot;
  // A lot bears the number of its posting, which names the lot in turn.
  const lotId = books.account.lastSeq + 1;
  const entries: Entry[] = [
    { account: 'issued', lotId, amount: -amount },
    { account: ACCOUNT_OF[source], lotId, amount },
  ];
  post(books, kind, entries, { reference, userId });
  const made: Lot = { ...lot, lotId, remaining: amount, reserved: 0 };
  books.lots.set(lotId, made);
  books.changes.lots.add(made);
}
