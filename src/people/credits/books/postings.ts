import type { About, Books, Entry, Posting } from './books.ts';
import { dayIn } from './days.ts';

/** Adds a posting and returns its number. It throws if the entries do not sum to zero, since nobody could correct that later. */
export function post(books: Books, kind: Posting['kind'], entries: readonly Entry[], about: About): number {
  const { account, changes, nowMs } = books;
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) throw new Error(`a posting of the sort ${kind} for ${account.tenantId} sums to ${sum}`);
  const spent = entries.reduce(
    (total, { account: of, amount }) => total + (of === 'spending' ? amount : 0),
    0,
  );
  const seq = account.lastSeq + 1;
  account.lastSeq = seq;
  changes.account = true;
  const day = spent > 0 ? dayIn(account.timeZone, nowMs) : null;
  const { periodStartMs } = account;
  changes.postings.push({
    ...about,
    seq,
    kind,
    atMs: nowMs,
    day,
    periodStartMs,
    entries: entries.filter(({ amount }) => amount !== 0),
  });
  if (day !== null) countUsage(books, day, spent, about);
  return seq;
}

function countUsage({ account, changes }: Books, day: string, spent: number, about: About): void {
  const key = {
    day,
    userId: about.userId ?? '',
    operation: about.operation ?? '',
    provider: about.provider ?? '',
    periodStartMs: account.periodStartMs,
  };
  const name = JSON.stringify(key);
  const usage = changes.usage.get(name) ?? { ...key, spent: 0, operations: 0 };
  usage.spent += spent;
  usage.operations += 1;
  changes.usage.set(name, usage);
}
