import type { Books, Member } from './books.ts';

/** The user's row, with what was spent in this period alone; noted as changed. */
export function memberOf(books: Books, userId: string): Member {
  const { periodStartMs } = books.account;
  const member = books.members.get(userId) ?? { userId, quota: null, periodStartMs, spent: 0, reserved: 0 };
  if (member.periodStartMs !== periodStartMs) {
    member.periodStartMs = periodStartMs;
    member.spent = 0;
  }
  books.members.set(userId, member);
  books.changes.members.add(member);
  books.changes.account = true;
  return member;
}

/** The same for looking alone. */
export function memberAsOfNow({ account, members }: Books, userId: string): Omit<Member, 'periodStartMs'> {
  const { quota = null, periodStartMs, spent = 0, reserved = 0 } = members.get(userId) ?? {};
  return { userId, quota, reserved, spent: periodStartMs === account.periodStartMs ? spent : 0 };
}
