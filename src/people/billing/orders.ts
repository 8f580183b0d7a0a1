import { isPlanName, PLANS, type PlanName } from '../../access/plans.ts';
import type { PaidSubscription } from '../../platform/payments/payments.ts';
import type { SubscriptionRow } from './billing.tables.ts';

/** A plan with its seats, and what it costs for a period. */
export interface Order {
  plan: PlanName;
  priceId: string;
  quantity: number;
  /** Of one, in the smallest unit of the currency. */
  unitAmount: number;
  isPerSeat: boolean;
}

export const costOf = ({ quantity, unitAmount }: Order): number => quantity * unitAmount;

/** -1 for any number. */
export const seatsOf = ({ plan, quantity, isPerSeat }: Order): number =>
  isPerSeat ? quantity : PLANS[plan].max_users;

/** The next period will be charged for it. */
export const orderOf = (row: SubscriptionRow): Order => ({
  plan: isPlanName(row.plan) ? row.plan : 'free',
  priceId: row.price_id,
  quantity: row.quantity,
  unitAmount: row.unit_amount,
  isPerSeat: row.is_per_seat === 1,
});

/** The order that was paid for and counts until the period ends; null if it is the present one. */
export const keptOf = ({ kept }: SubscriptionRow): Order | null => (kept === null ? null : JSON.parse(kept));

const endsWithTrial = (periodEnd: number, trialEnd: number | null): boolean =>
  trialEnd !== null && periodEnd <= trialEnd;

/** Its present period is the trial. */
export const isTrial = (row: SubscriptionRow): boolean => endsWithTrial(row.period_end, row.trial_end);

/** The most that was ordered in this period, if it costs more than what is ordered now. A trial was not paid for. */
export function keptFrom(
  stored: SubscriptionRow | null,
  subscription: PaidSubscription,
  ordered: Order,
): Order | null {
  const { periodStart, periodEnd } = subscription;
  if (stored === null || endsWithTrial(periodEnd, subscription.trialEnd)) return null;
  if (stored.period_start !== periodStart || stored.period_end !== periodEnd) return null;
  const most = keptOf(stored) ?? orderOf(stored);
  return costOf(most) > costOf(ordered) ? most : null;
}
