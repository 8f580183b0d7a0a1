import type { CreditRefusal } from '../../../access/credits.ts';
import { answerKey, type Books, balanceOf, isUnlimited, type Reservation } from './books.ts';
import { changeReserved, partsFor, takeParts } from './lots.ts';
import { memberAsOfNow, memberOf } from './members.ts';
import { post } from './postings.ts';
import { chargeReservation, freeReservation, isOpen } from './reservations.ts';

/** A reservation that is not renewed within this lapses. */
export const LEASE_MS = 2 * 60_000;
/** However often it is renewed. */
const LONGEST_MS = 15 * 60_000;

export interface Spender {
  userId: string;
  operation: string;
  provider: string;
}

export interface Reserving extends Spender {
  operationId: string;
  amount: number;
}

/** Null if the amount may be spent. A quota that is set holds even where there is no limit. */
function refusalOf(books: Books, userId: string, needed: number): CreditRefusal | null {
  if (needed === 0) return null;
  const { account } = books;
  const member = memberAsOfNow(books, userId);
  const balance = balanceOf(books);
  const quotas = [
    { reason: 'user_quota', ...member },
    { reason: 'team_quota', ...account },
  ] as const;
  for (const { reason, quota, spent, reserved } of quotas) {
    if (quota === null || spent + reserved + needed <= quota) continue;
    return { outcome: 'refused', needed, available: Math.max(0, quota - spent - reserved), reason, balance };
  }
  if (isUnlimited(books) || needed <= balance) return null;
  return { outcome: 'refused', needed, available: balance };
}

export type Reserved =
  | { outcome: 'reserved'; reservation: Reservation }
  | { outcome: 'settled'; charged: number }
  | CreditRefusal;

export function reserve(books: Books, { operationId, amount, ...spender }: Reserving): Reserved {
  const { nowMs, account, changes } = books;
  const known = books.reservations
    .values()
    .filter((each) => each.operationId === operationId)
    .reduce<Reservation | null>(
      (last, each) => (last && last.reservationId > each.reservationId ? last : each),
      null,
    );
  if (known && known.charged !== null) return { outcome: 'settled', charged: known.charged };
  if (known && isOpen(known, nowMs)) {
    const until = Math.min(nowMs + LEASE_MS, known.createdAtMs + LONGEST_MS);
    known.openUntilMs = Math.max(known.openUntilMs ?? 0, until);
    changes.reservations.add(known);
    return { outcome: 'reserved', reservation: known };
  }
  const refusal = refusalOf(books, spender.userId, amount);
  if (refusal) return refusal;
  const reservationId = account.lastSeq + 1;
  const parts = partsFor(books, amount);
  const entries = [...takeParts(books, parts), ...changeReserved(books, parts, 1)];
  post(books, 'reserve', entries, { ...spender, operationId, reservationId });
  const openUntilMs = nowMs + LEASE_MS;
  const reservation: Reservation = {
    ...spender,
    reservationId,
    operationId,
    amount,
    parts,
    createdAtMs: nowMs,
    openUntilMs,
    charged: null,
  };
  account.reserved += amount;
  memberOf(books, spender.userId).reserved += amount;
  books.reservations.set(reservationId, reservation);
  changes.reservations.add(reservation);
  return { outcome: 'reserved', reservation };
}

export interface Named {
  reservationId: number;
  operationId: string;
}

const find = ({ reservations }: Books, { reservationId, operationId }: Named): Reservation | null => {
  const found = reservations.get(reservationId);
  return found?.operationId === operationId ? found : null;
};

/** The credits that the tenant can still reserve; -1 for any number. */
const remainingOf = (books: Books): number => (isUnlimited(books) ? -1 : balanceOf(books));

export type Settled = { outcome: 'settled'; charged: number; remaining: number } | { outcome: 'lapsed' };

export function settle(books: Books, named: Named, actual: number): Settled {
  const reservation = find(books, named);
  if (reservation && isOpen(reservation, books.nowMs))
    chargeReservation(books, reservation, Math.min(actual, reservation.amount));
  if (reservation === null || reservation.charged === null) return { outcome: 'lapsed' };
  return { outcome: 'settled', charged: reservation.charged, remaining: remainingOf(books) };
}

export type Released = { outcome: 'released' } | { outcome: 'settled'; charged: number };

export function release(books: Books, named: Named): Released {
  const reservation = find(books, named);
  if (reservation && reservation.charged !== null)
    return { outcome: 'settled', charged: reservation.charged };
  if (reservation && isOpen(reservation, books.nowMs)) freeReservation(books, reservation, 'release');
  return { outcome: 'released' };
}

export interface Consuming extends Spender {
  amount: number;
  /** Null if the request may be repeated at will. */
  once: { key: string; request: string } | null;
}

export type Consumed =
  | { outcome: 'spent'; spent: number; balance: number; unlimited: boolean; isReplayed?: true }
  | CreditRefusal;
/** The same key came with another request. */
export type Reused = { outcome: 'reused' };

/** Spends at once. A known key gets its first answer again, also if that was a refusal. */
export function consume(books: Books, { amount, once, ...spender }: Consuming): Consumed | Reused {
  const known = once && books.answers.get(answerKey(spender.userId, once.key));
  if (known && known.request !== once.request) return { outcome: 'reused' };
  if (known) return { ...JSON.parse(known.answer), isReplayed: true };
  const answer = refusalOf(books, spender.userId, amount) ?? spend(books, spender, amount);
  if (once) {
    const kept = {
      ...once,
      userId: spender.userId,
      answer: JSON.stringify(answer),
      createdAtMs: books.nowMs,
    };
    books.answers.set(answerKey(spender.userId, once.key), kept);
    books.changes.answers.push(kept);
  }
  return answer;
}

function spend(books: Books, spender: Spender, amount: number): Consumed {
  const parts = partsFor(books, amount);
  const entries = [
    ...takeParts(books, parts),
    ...parts.map((part) => ({ account: 'spending' as const, ...part })),
  ];
  post(books, 'spend', entries, spender);
  books.account.spent += amount;
  memberOf(books, spender.userId).spent += amount;
  return { outcome: 'spent', spent: amount, balance: balanceOf(books), unlimited: isUnlimited(books) };
}
