import { PLANS, type PlanName } from '../../access/plans.ts';
import type { ProductPlan } from '../../platform/payments/payments.ts';

/** Put on sale at the provider by `canonry billing setup`. Prices are cents of the currency; change them here alone. */
const CURRENCY = 'eur';

const plan = (
  name: PlanName,
  description: string,
  { month, year, perSeat }: { month: number; year: number; perSeat: boolean },
): ProductPlan => ({
  code: `plan_${name}`,
  name: `Canonry ${name[0]?.toUpperCase()}${name.slice(1)}`,
  description,
  plan: name,
  credits: null,
  perSeat,
  prices: [
    { amount: month, currency: CURRENCY, interval: 'month' },
    { amount: year, currency: CURRENCY, interval: 'year' },
  ],
});

const block = (credits: number, amount: number): ProductPlan => ({
  code: `credits_${credits}`,
  name: `${credits} credits`,
  description: 'Credits for AI that never expire',
  plan: null,
  credits,
  perSeat: false,
  prices: [{ amount, currency: CURRENCY, interval: null }],
});

export const CATALOG: readonly ProductPlan[] = [
  plan('indie', `For one author: ${PLANS.indie.credits_monthly} credits a month and 25 GB in the cloud`, {
    month: 900,
    year: 9_000,
    perSeat: false,
  }),
  plan('team', `For a studio: ${PLANS.team.credits_monthly} credits a month for each seat, and 100 GB`, {
    month: 1_900,
    year: 19_000,
    perSeat: true,
  }),
  block(500, 500),
  block(2_000, 1_800),
  block(10_000, 8_000),
];

export const TRIAL_DAYS = 14;
/** A trial gives no more seats, whatever was ordered: each brings credits that nobody has paid for. */
export const TRIAL_SEATS = 5;

/** The provider has tried to charge a period by then: what is not past due is paid, also if nobody told of it. */
export const CHARGED_AFTER_MS = 24 * 3_600_000;

/** How long a plan stays after a payment failed. */
export const GRACE_MS = 14 * 24 * 3_600_000;

/** The events that the provider has to send. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.upcoming',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const isEventType = (type: string): type is EventType => EVENT_TYPES.some((known) => known === type);
