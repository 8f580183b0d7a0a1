import type { CreditSource } from '../ledger.ts';
import { type Books, balanceOf, isUnlimited } from './books.ts';
import { lotsInOrder } from './lots.ts';
import { memberAsOfNow } from './members.ts';

export interface QuotaView {
  quota: number | null;
  spent: number;
  reserved: number;
}

/** A tenant's credits at one moment. */
export interface CreditsView {
  balance: number;
  unlimited: boolean;
  monthly: number;
  granted: number;
  periodStartMs: number;
  periodEndMs: number;
  timeZone: string;
  /** In the order in which they are spent. */
  sources: { source: CreditSource; remaining: number; expiresAtMs: number | null }[];
  team: QuotaView;
  user: QuotaView;
}

export function viewOf(books: Books, userId: string): CreditsView {
  const { account, monthly } = books;
  const { periodStartMs, periodEndMs, timeZone, granted, quota, spent, reserved } = account;
  const { userId: _, ...user } = memberAsOfNow(books, userId);
  return {
    balance: balanceOf(books),
    unlimited: isUnlimited(books),
    monthly,
    granted,
    periodStartMs,
    periodEndMs,
    timeZone,
    sources: lotsInOrder(books)
      .filter(({ remaining }) => remaining > 0)
      .map(({ source, remaining, expiresAtMs }) => ({ source, remaining, expiresAtMs })),
    team: { quota, spent, reserved },
    user,
  };
}
