import { isoDate, isoTime } from '../../kit/clock.ts';
import { moneyText } from '../../platform/payments/money.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { keptOf, type Order, orderOf } from './orders.ts';
import type { NoticeCode } from './subscription.contract.ts';

export interface Notice {
  code: NoticeCode;
  message: string;
  since: string | null;
  until: string | null;
}

const TRIAL_NOTICE_MS = 3 * 24 * 3_600_000;

const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** Tells the owners what they should know about their subscription now. */
export function noticesOf(row: SubscriptionRow | null, nowMs: number): Notice[] {
  if (row === null) return [];
  const { state, trial_end: trialEnd, period_end: periodEnd } = row;
  const notices: (Notice | false)[] = [
    state === 'trialing' &&
      trialEnd !== null &&
      (row.trial_told_at !== null || trialEnd - nowMs < TRIAL_NOTICE_MS) && {
        code: 'trial_ending',
        message: `The trial ends on ${isoDate(trialEnd)}; the first payment is taken then`,
        since: time(row.trial_told_at),
        until: time(trialEnd),
      },
    state === 'past_due' &&
      row.grace_ends_at !== null && {
        code: 'payment_failed',
        message: `The last payment failed. The plan stays until ${isoDate(row.grace_ends_at)}: pay, or use another card, before then`,
        since: time(row.unpaid_since),
        until: time(row.grace_ends_at),
      },
    state === 'past_grace' && {
      code: 'past_grace',
      message: 'A payment has been missing for 14 days: the limits of the free plan count until it arrives',
      since: time(row.grace_ends_at),
      until: null,
    },
    (state === 'incomplete' || state === 'paused') && {
      code: 'payment_required',
      message: 'The subscription begins with its first payment: open the portal and pay',
      since: time(row.created_at),
      until: null,
    },
    state === 'canceling' && {
      code: 'ends_with_period',
      message: `The subscription ends on ${isoDate(periodEnd)}; the free plan follows`,
      since: null,
      until: time(periodEnd),
    },
    isLess(row) && {
      code: 'less_from_next_period',
      message: `From ${isoDate(periodEnd)} on: ${nameOf(orderOf(row))}. Until then everything stays as it is paid`,
      since: null,
      until: time(periodEnd),
    },
    isUpcoming(row, nowMs) && {
      code: 'upcoming_invoice',
      message: `The next invoice comes to ${amountOf(row)}`,
      since: time(row.upcoming_told_at),
      until: time(periodEnd),
    },
  ];
  return notices.filter((notice) => notice !== false);
}

const isLess = (row: SubscriptionRow): boolean => row.state === 'active' && keptOf(row) !== null;

const nameOf = ({ plan, quantity, isPerSeat }: Order): string =>
  isPerSeat
    ? `the ${plan} plan with ${quantity === 1 ? 'one seat' : `${quantity} seats`}`
    : `the ${plan} plan`;

/** Once the period is over, what was announced has been paid or has failed. */
const isUpcoming = (
  { upcoming_amount, upcoming_told_at, period_start, period_end }: SubscriptionRow,
  nowMs: number,
) =>
  upcoming_amount !== null &&
  upcoming_told_at !== null &&
  upcoming_told_at >= period_start &&
  nowMs < period_end;

const amountOf = ({ upcoming_amount, upcoming_currency }: SubscriptionRow): string =>
  moneyText({ amount: upcoming_amount ?? 0, currency: upcoming_currency ?? '' });
