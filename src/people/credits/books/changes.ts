import type { CreditAddition } from '../ledger.ts';
import { type Books, balanceOf, type Entry } from './books.ts';
import { issue, partsFor, takeParts } from './lots.ts';
import { memberOf } from './members.ts';
import { post } from './postings.ts';

/** False if it was booked before; its lot must have been loaded, though perhaps nothing is left of it. */
export function add(books: Books, addition: CreditAddition): boolean {
  const { source, amount, expiresAtMs, reference, userId } = addition;
  if (books.lots.values().some((lot) => lot.reference === reference)) return false;
  issue(books, { source, amount, expiresAtMs, reference, userId });
  return true;
}

export function extend({ lots, changes }: Books, reference: string, expiresAtMs: number): void {
  for (const lot of lots.values()) {
    if (lot.source !== 'promotion' || lot.reference !== reference) continue;
    lot.expiresAtMs = expiresAtMs;
    changes.lots.add(lot);
    changes.account = true;
  }
}

/** Gives credits that never expire, or takes some of what is there. Returns by how many the balance changed. */
export function correct(books: Books, amount: number, reason: string): number {
  if (amount > 0) {
    const reference = `correction ${books.account.lastSeq + 1}: ${reason}`;
    issue(books, { source: 'promotion', amount, expiresAtMs: null, reference, userId: null }, 'correct');
    return amount;
  }
  const taken = Math.min(-amount, balanceOf(books));
  // Also of a tenant without a limit, whose lots other spending leaves alone.
  const parts = partsFor({ ...books, monthly: 0 }, taken);
  const back: Entry[] = parts.map((part) => ({ account: 'issued', ...part }));
  post(books, 'correct', [...takeParts(books, parts), ...back], { reference: reason });
  return taken === 0 ? 0 : -taken;
}

export interface Quotas {
  /** Null for none; left out, it stays. */
  quota?: number | null | undefined;
  timeZone?: string | undefined;
}

export function setQuotas({ account, changes }: Books, { quota, timeZone }: Quotas): void {
  if (quota !== undefined) account.quota = quota;
  if (timeZone !== undefined) account.timeZone = timeZone;
  changes.account = true;
}

export function setUserQuota(books: Books, userId: string, quota: number | null): void {
  memberOf(books, userId).quota = quota;
}
