import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed, NullableText, named, oneOf, Text } from '../../kit/schemas.ts';
import { Interval, Plan, TAG } from './prices.contract.ts';

/**
 * `canceling` ends with its period. `past_due` is unpaid and within its grace, `past_grace` unpaid for longer. An `incomplete` one waits
 * for its first payment; a `paused` one had a trial and no card.
 */
export const SUBSCRIPTION_STATES = [
  'incomplete',
  'trialing',
  'active',
  'canceling',
  'past_due',
  'past_grace',
  'paused',
  'ended',
] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

const NOTICE_CODES = [
  'trial_ending',
  'payment_failed',
  'payment_required',
  'past_grace',
  'ends_with_period',
  'less_from_next_period',
  'upcoming_invoice',
] as const;
export type NoticeCode = (typeof NOTICE_CODES)[number];

const State = oneOf([...SUBSCRIPTION_STATES, 'none'] as const);

const Notice = named('BillingNotice', {
  code: oneOf(NOTICE_CODES),
  message: Text,
  since: NullableText,
  until: NullableText,
});

const OverLimit = named('OverLimit', {
  limit: Text,
  used: Type.Integer(),
  allowed: Type.Integer(),
  message: Type.String({ description: 'What to reduce. Nothing is locked: only new things have to wait' }),
});

const NextPeriod = closed({ plan: Plan, seats: Type.Integer() });

const subscription = {
  configured: Type.Boolean(),
  plan: Plan,
  status: State,
  subscribed_plan: Type.Unsafe<string | null>({
    ...NullableText,
    description:
      'Differs from `plan` while a payment is missing, and where the installation has a fixed plan',
  }),
  interval: Type.Unsafe<string | null>(NullableText),
  seats: Type.Integer({ description: '-1 for any number' }),
  next_period: Type.Unsafe<Static<typeof NextPeriod> | null>(
    Type.Union([NextPeriod, Type.Null()], {
      description: 'What follows when the period ends, if less was ordered than is paid for',
    }),
  ),
  trial_ends_at: NullableText,
  current_period_start: NullableText,
  current_period_end: NullableText,
  cancel_at_period_end: Type.Boolean(),
  grace_ends_at: Type.Unsafe<string | null>({
    ...NullableText,
    description: 'A payment failed: until then the plan stays',
  }),
  ended_at: NullableText,
  notices: Type.Array(Notice),
};

const example = {
  configured: true,
  plan: 'team',
  status: 'active',
  subscribed_plan: 'team',
  interval: 'month',
  seats: 5,
  next_period: null,
  trial_ends_at: null,
  current_period_start: '2026-03-04T05:06:07.890Z',
  current_period_end: '2026-04-04T05:06:07.890Z',
  cancel_at_period_end: false,
  grace_ends_at: null,
  ended_at: null,
  notices: [],
};

export const getSubscription = contract('GET /api/billing/subscription', {
  name: 'getSubscription',
  auth: 'bearer',
  tag: TAG,
  summary: "The tenant's subscription",
  reply: named('BillingSubscription', subscription),
  example: { reply: example },
});

export const changeSubscription = contract('PUT /api/billing/subscription', {
  name: 'changeSubscription',
  auth: 'bearer',
  peopleOnly: true,
  role: PERMISSIONS.manage_billing,
  tag: TAG,
  summary: 'Upgrade, downgrade, change seats, cancel or resume',
  description:
    'What is left out stays. More is charged at once, the difference for the rest of the period. Less is ordered for the next period: what is paid for stays until then (`next_period`), and may be taken back without a charge. Another interval begins a period now; what is left of the one before is credited. `cancel_at_period_end` true cancels, false resumes. `over_limits` says what exceeds the new plan: nothing is deleted or locked, only new things have to wait. 402 if the card is declined: nothing was changed. 409 while a payment is missing, unless less is ordered (`payment_missing`), and for orders in the last two minutes of a period (`period_ending`). An `Idempotency-Key` makes a repeated request the same change.',
  body: closed(
    {
      plan: Type.Optional(oneOf(['indie', 'team', 'enterprise'] as const)),
      interval: Type.Optional(Interval),
      seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      cancel_at_period_end: Type.Optional(Type.Boolean()),
    },
    { minProperties: 1 },
  ),
  reply: named('ChangedSubscription', { ...subscription, over_limits: Type.Array(OverLimit) }),
  errors: [402, 409, 503],
  example: { body: { seats: 5 }, reply: { ...example, over_limits: [] } },
});

export const getBillingStatus = contract('GET /api/billing/status', {
  name: 'getBillingStatus',
  auth: 'bearer',
  tag: TAG,
  summary: 'Whether billing works, and what needs attention',
  reply: named('BillingStatus', {
    configured: Type.Boolean({ description: 'There is a key (BILLING_API_KEY)' }),
    webhook_configured: Type.Boolean({ description: 'There is a secret (BILLING_WEBHOOK_SECRET)' }),
    provider: oneOf(['ok', 'down', 'not_configured'] as const),
    customer: Type.Boolean({ description: 'The tenant is known to the provider' }),
    subscription_status: State,
    notices: Type.Array(Notice),
    over_limits: Type.Array(OverLimit),
  }),
  example: {
    reply: {
      configured: true,
      webhook_configured: true,
      provider: 'ok',
      customer: true,
      subscription_status: 'past_due',
      notices: [
        {
          code: 'payment_failed',
          message:
            'The last payment failed. The plan stays until 2026-03-18: pay, or use another card, before then',
          since: '2026-03-04T05:06:07.890Z',
          until: '2026-03-18T05:06:07.890Z',
        },
      ],
      over_limits: [],
    },
  },
});
