import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, closed, NullableInteger, named, nullableInteger, oneOf, Text } from '../../kit/schemas.ts';
import { UserId, userExample } from '../users/users.contract.ts';

export const BILLING_TAG = 'Billing';
const MOST = 1_000_000_000;
const Amount = (description: string) => Type.Integer({ minimum: 1, maximum: MOST, description });
const Quota = Type.Union([Type.Integer({ minimum: 0, maximum: MOST }), Type.Null()], {
  description: 'Credits a period, what is reserved included; null for none',
});
export const Time = Type.String({ format: 'date-time' });

/** Words of programs: they are names of groups in the list of expenses. */
const Operation = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$',
  description: 'Such as `ai_generate`',
});
const Provider = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/ -]{0,63}$' });

const QuotaState = Type.Object({
  quota: nullableInteger('Null for none'),
  spent: Type.Integer({ description: 'In this period' }),
  reserved: Count,
});

const ONCE =
  'With a header `Idempotency-Key` of 1 to 255 visible characters, a request that is repeated within a day gets the first answer again and costs nothing; the same key with another request is 409. Too few credits are 402 with `balance`, `needed` and `upgrade_url`; the codes `user_quota_reached` and `team_quota_reached` say that a quota is used up.';

const Balance = Type.Integer({ description: 'What is left of grants, promotions and purchases' });
const Unlimited = Type.Boolean({ description: 'Then nothing is refused for want of credits' });

export const getCredits = contract('GET /api/billing/credits', {
  name: 'getCredits',
  auth: 'bearer',
  tag: BILLING_TAG,
  summary: 'Credits that are left',
  description:
    'Of the tenant. `sources` are in the order in which they are spent. `reserved` is set aside for work under way and not in `balance`.',
  reply: named('Credits', {
    balance: Balance,
    unlimited: Unlimited,
    reserved: Count,
    monthly: Type.Integer({ description: 'Granted a month; -1: no limit' }),
    period_start: Time,
    period_end: Time,
    time_zone: Text,
    sources: Type.Array(
      Type.Object({
        source: oneOf(['grant', 'promotion', 'purchase']),
        remaining: Count,
        expires_at: Type.Union([Time, Type.Null()]),
      }),
    ),
    user_quota: QuotaState,
    team_quota: QuotaState,
  }),
  example: {
    reply: {
      balance: 880,
      unlimited: false,
      reserved: 20,
      monthly: 500,
      period_start: '2026-03-04T05:06:07.890Z',
      period_end: '2026-04-04T05:06:07.890Z',
      time_zone: 'Europe/Berlin',
      sources: [
        { source: 'grant', remaining: 380, expires_at: '2026-04-04T05:06:07.890Z' },
        { source: 'purchase', remaining: 500, expires_at: null },
      ],
      user_quota: { quota: null, spent: 100, reserved: 20 },
      team_quota: { quota: null, spent: 100, reserved: 20 },
    },
  },
});

const Consumed = named('ConsumedCredits', {
  consumed: Count,
  operation: Text,
  balance: Balance,
  unlimited: Unlimited,
});
const consumed = { consumed: 3, operation: 'ai_generate', balance: 877, unlimited: false };

const consuming = {
  auth: 'bearer',
  role: PERMISSIONS.use_ai,
  tag: BILLING_TAG,
  description: ONCE,
  reply: Consumed,
  errors: [402, 409],
} as const;

export const consumeCredits = contract('POST /api/billing/credits/consume', {
  ...consuming,
  name: 'consumeCredits',
  summary: 'Spend credits',
  body: closed({ amount: Amount('Credits'), operation: Operation }),
  example: { body: { amount: 3, operation: 'ai_generate' }, reply: consumed },
});

export const consumeTokens = contract('POST /api/billing/consume-tokens', {
  ...consuming,
  name: 'consumeTokens',
  summary: 'Spend credits for tokens of a model',
  description: `As many credits as the tokens are worth (AI_TOKENS_PER_CREDIT), rounded up. ${ONCE}`,
  body: closed({
    tokens: Amount('In and out together'),
    operation: Type.Optional(Operation),
    provider: Type.Optional(Provider),
  }),
  example: {
    body: { tokens: 2_400, operation: 'ai_generate', provider: 'anthropic' },
    reply: consumed,
  },
});

const administered = { auth: 'bearer', peopleOnly: true, role: 'admin', tag: BILLING_TAG } as const;

export const setTeamQuota = contract('PUT /api/billing/quota', {
  ...administered,
  name: 'setTeamQuota',
  summary: 'Limit what the team spends in a period',
  description:
    'What is left out stays. `time_zone` says when the days of the list of expenses begin; what was spent before keeps its day.',
  body: closed({
    quota: Type.Optional(Quota),
    time_zone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name, such as Europe/Berlin' }),
    ),
  }),
  reply: named('TeamQuota', { quota: NullableInteger, time_zone: Text, spent: Count, reserved: Count }),
  errors: [422],
  example: {
    body: { quota: 2_000, time_zone: 'Europe/Berlin' },
    reply: { quota: 2_000, time_zone: 'Europe/Berlin', spent: 100, reserved: 20 },
  },
});

export const setUserQuota = contract('PUT /api/billing/team/user-quota', {
  ...administered,
  name: 'setUserQuota',
  summary: 'Limit what one person spends in a period',
  body: closed({ user_id: UserId, quota: Quota }),
  reply: named('UserQuota', { user_id: Text, quota: NullableInteger, spent: Count, reserved: Count }),
  errors: [404],
  example: {
    body: { user_id: userExample.user_id, quota: 200 },
    reply: { user_id: userExample.user_id, quota: 200, spent: 100, reserved: 20 },
  },
});
