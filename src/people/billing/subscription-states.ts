import type { SubscriptionStatus } from '../../platform/payments/payments.ts';
import type { SubscriptionState } from './subscription.contract.ts';

/** `is_…`: what the provider says of the subscription. The others happened: a payment, a failed one, the end of the grace. */
export const SUBSCRIPTION_SIGNALS = [
  'is_incomplete',
  'is_trialing',
  'is_active',
  'is_canceling',
  'is_unpaid',
  'is_paused',
  'is_ended',
  'paid',
  'payment_failed',
  'grace_over',
] as const;
export type SubscriptionSignal = (typeof SUBSCRIPTION_SIGNALS)[number];

type Row = Readonly<Record<SubscriptionSignal, SubscriptionState>>;

/** The provider's word counts, wherever the subscription was before; the rest depends on the state. */
const REPORTED = {
  is_incomplete: 'incomplete',
  is_trialing: 'trialing',
  is_active: 'active',
  is_canceling: 'canceling',
  is_unpaid: 'past_due',
  is_paused: 'paused',
  is_ended: 'ended',
} as const;

export const NEXT_STATE: Readonly<Record<SubscriptionState, Row>> = {
  incomplete: { ...REPORTED, paid: 'active', payment_failed: 'incomplete', grace_over: 'incomplete' },
  trialing: { ...REPORTED, paid: 'trialing', payment_failed: 'past_due', grace_over: 'trialing' },
  active: { ...REPORTED, paid: 'active', payment_failed: 'past_due', grace_over: 'active' },
  canceling: { ...REPORTED, paid: 'canceling', payment_failed: 'past_due', grace_over: 'canceling' },
  past_due: { ...REPORTED, paid: 'active', payment_failed: 'past_due', grace_over: 'past_grace' },
  // Only a payment ends it: a second failure grants no second grace.
  past_grace: {
    ...REPORTED,
    is_unpaid: 'past_grace',
    paid: 'active',
    payment_failed: 'past_grace',
    grace_over: 'past_grace',
  },
  paused: { ...REPORTED, paid: 'paused', payment_failed: 'paused', grace_over: 'paused' },
  // The provider never revives one: what says otherwise is older.
  ended: {
    is_incomplete: 'ended',
    is_trialing: 'ended',
    is_active: 'ended',
    is_canceling: 'ended',
    is_unpaid: 'ended',
    is_paused: 'ended',
    is_ended: 'ended',
    paid: 'ended',
    payment_failed: 'ended',
    grace_over: 'ended',
  },
};

/** True where the tenant has the plan that it subscribed to, false where it has the free one. */
export const GIVES_PLAN: Readonly<Record<SubscriptionState, boolean>> = {
  incomplete: false,
  trialing: true,
  active: true,
  canceling: true,
  past_due: true,
  past_grace: false,
  paused: false,
  ended: false,
};

/** A tenant has one of these at most; the next checkout must wait for its end. */
export const IS_LIVE: Readonly<Record<SubscriptionState, boolean>> = {
  incomplete: false,
  trialing: true,
  active: true,
  canceling: true,
  past_due: true,
  past_grace: true,
  paused: true,
  ended: false,
};

/** A payment is missing, within the grace or after it. */
export const isOwing = (state: SubscriptionState): boolean => state === 'past_due' || state === 'past_grace';

/** A subscription that was unknown so far begins as `incomplete`. */
export const nextState = (
  state: SubscriptionState | null,
  signals: readonly SubscriptionSignal[],
): SubscriptionState =>
  signals.reduce<SubscriptionState>((now, signal) => NEXT_STATE[now][signal], state ?? 'incomplete');

const SIGNAL_OF: Readonly<Record<SubscriptionStatus, SubscriptionSignal>> = {
  incomplete: 'is_incomplete',
  incomplete_expired: 'is_ended',
  trialing: 'is_trialing',
  active: 'is_active',
  past_due: 'is_unpaid',
  unpaid: 'is_unpaid',
  canceled: 'is_ended',
  paused: 'is_paused',
};

export function signalOf(subscription: {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
}): SubscriptionSignal {
  const signal = SIGNAL_OF[subscription.status];
  const goesOn = signal === 'is_active' || signal === 'is_trialing';
  return goesOn && subscription.cancelAtPeriodEnd ? 'is_canceling' : signal;
}
