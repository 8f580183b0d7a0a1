import { isPlanName, PLANS, type PlanName } from '../../access/plans.ts';
import type { PaidSubscription } from '../../platform/payments/payments.ts';
import type { SubscriptionRow } from './billing.tables.ts';

/** What a subscription is to, for a period. */
export interface Order {
  plan: PlanName;
  priceId: string;
  quantity: number;
  /** Of one, in the smallest unit of the currency. */
  unitAmount: number;
  isPerSeat: boolean;
}

export const costOf = ({ quantity, unitAmount }: Pick<Order, 'quantity' | 'unitAmount'>): number =>
  quantity * unitAmount;

/** -1 for any number. */
export const seatsOf = ({ plan, quantity, isPerSeat }: Order): number =>
  isPerSeat ? quantity : PLANS[plan].max_users;

type Ordered = Pick<
  SubscriptionRow,
  'plan' | 'price_id' | 'quantity' | 'unit_amount' | 'is_per_seat' | 'kept'
>;

/** What the next period will be charged for. */
export const orderOf = (row: Ordered): Order => ({
  plan: isPlanName(row.plan) ? row.plan : 'free',
  priceId: row.price_id,
  quantity: row.quantity,
  unitAmount: row.unit_amount,
  isPerSeat: row.is_per_seat === 1,
});

/** What the tenant paid for and keeps until the period ends; null if it is what is ordered. */
export const keptOf = ({ kept }: Pick<SubscriptionRow, 'kept'>): Order | null =>
  kept === null ? null : JSON.parse(kept);

export const isTrial = (period: { trialEnd: number | null; periodEnd: number }): boolean =>
  period.trialEnd !== null && period.periodEnd <= period.trialEnd;

/** The most that was ordered in this period, if it costs more than what is ordered now. A trial was not paid for. */
export function keptFrom(
  stored: SubscriptionRow | null,
  subscription: PaidSubscription,
  ordered: Order,
): Order | null {
  const { periodStart, periodEnd } = subscription;
  if (stored === null || isTrial(subscription)) return null;
  if (stored.period_start !== periodStart || stored.period_end !== periodEnd) return null;
  const most = keptOf(stored) ?? orderOf(stored);
  return costOf(most) > costOf(ordered) ? most : null;
}
