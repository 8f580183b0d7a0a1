import { PLANS } from '../../access/plans.ts';
import { isoDate } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import type { SubscriptionChange } from '../../platform/payments/payments.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { costOf, isTrial, keptOf, type Order, orderOf } from './orders.ts';
import { isOwing } from './subscription-states.ts';

export interface Steps {
  /** Free of charge: back to what is paid for already, so that no more than the difference is charged. */
  restore: SubscriptionChange | null;
  main: SubscriptionChange;
  /** If `main` is refused after `restore`. */
  undo: SubscriptionChange | null;
}

const changeTo = (from: Order, to: Order): SubscriptionChange => ({
  ...(to.priceId !== from.priceId && { priceId: to.priceId }),
  ...(to.quantity !== from.quantity && { quantity: to.quantity }),
});

const isEmpty = (change: SubscriptionChange): boolean => Object.keys(change).length === 0;

/**
 * How an order becomes another one of the same interval. What was paid for stays until the period ends: less is ordered for the next
 * period, and more is charged at once, the difference alone.
 */
export function stepsTo(row: SubscriptionRow, wanted: Order): Steps {
  const now = orderOf(row);
  const kept = keptOf(row);
  const change = changeTo(now, wanted);
  if (isEmpty(change)) return { restore: null, main: {}, undo: null };
  if (costOf(wanted) <= costOf(kept ?? now) && !isTrial(row))
    return { restore: null, main: { ...change, paid: 'next_period' }, undo: null };
  if (kept === null) return { restore: null, main: { ...change, paid: 'now' }, undo: null };
  return {
    restore: { ...changeTo(now, kept), paid: 'next_period' },
    main: { ...changeTo(kept, wanted), paid: 'now' },
    undo: { ...changeTo(kept, now), paid: 'next_period' },
  };
}

/** Another interval begins a period now, and what is left of this one is paid back: it takes all that was paid for with it. */
export function stepsToInterval(row: SubscriptionRow, wanted: Order): Steps {
  const now = orderOf(row);
  const isLess =
    PLANS[wanted.plan].tier < PLANS[now.plan].tier ||
    (wanted.plan === now.plan && wanted.quantity < now.quantity);
  if ((isLess || keptOf(row) !== null) && !isTrial(row))
    throw conflict(
      `What is paid for stays until ${isoDate(row.period_end)}: change months to years, or years to months, on that day or later, or without fewer seats or a lower plan`,
      { code: 'paid_until_period_end' },
    );
  return { restore: null, main: { ...changeTo(now, wanted), paid: 'now' }, undo: null };
}

/** Two calls of the provider, with their repeats, may take as long as this. */
const EDGE_MS = 2 * 60_000;

/** Throws 409 for an order where what is paid for is not certain. */
export function requireCertain(row: SubscriptionRow, { main }: Steps, nowMs: number): void {
  if (main.paid === undefined) return;
  // The provider would credit the rest of a period that nobody paid for.
  if (main.paid === 'now' && isOwing(row.state))
    throw conflict('A payment is missing: pay it on the page of GET /api/billing/portal, then try again', {
      code: 'payment_missing',
    });
  // An order that is free until the period ends would be free in the next one too, if that began before the provider hears of it.
  if (row.state !== 'paused' && row.period_end - nowMs < EDGE_MS)
    throw conflict('The next period begins at any moment: try again in a few minutes', {
      code: 'period_ending',
    });
}
