import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { Count, NullableInteger, named, oneOf, Text } from '../../kit/schemas.ts';
import { userExample } from '../users/users.contract.ts';
import { BILLING_TAG, Time } from './credits.contract.ts';

const shared = { auth: 'bearer', tag: BILLING_TAG } as const;

export const getUsage = contract('GET /api/billing/usage', {
  ...shared,
  name: 'getUsage',
  summary: 'Credits spent in the current period',
  reply: named('CreditUsage', {
    period_start: Time,
    period_end: Time,
    granted: Type.Integer({ description: 'By the plan, in this period' }),
    spent: Count,
    reserved: Count,
    balance: Type.Integer(),
    unlimited: Type.Boolean(),
    operations: Type.Array(Type.Object({ operation: Text, spent: Count, count: Count })),
  }),
  example: {
    reply: {
      period_start: '2026-03-04T05:06:07.890Z',
      period_end: '2026-04-04T05:06:07.890Z',
      granted: 500,
      spent: 100,
      reserved: 20,
      balance: 880,
      unlimited: false,
      operations: [{ operation: 'ai_generate', spent: 100, count: 8 }],
    },
  },
});

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description }));

export const getUsageHistory = contract('GET /api/billing/usage-history', {
  ...shared,
  name: 'getUsageHistory',
  summary: 'Credits spent, by day, person, operation or provider',
  description:
    'Days are those of the tenant’s time zone at the time of spending, both included; at most 366, and the last 30 unless given. With `format=csv` the reply is a table (`text/csv`).',
  query: Type.Object({
    from: Day('The first day'),
    to: Day('The last day'),
    group_by: Type.Optional(Type.Enum(['day', 'user', 'operation', 'provider'], { default: 'day' })),
    format: Type.Optional(Type.Enum(['json', 'csv'], { default: 'json' })),
  }),
  reply: named('CreditUsageHistory', {
    from: Text,
    to: Text,
    time_zone: Text,
    group_by: oneOf(['day', 'user', 'operation', 'provider']),
    spent: Count,
    rows: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The day, user id, operation or provider; empty where unknown' }),
        spent: Count,
        count: Type.Integer({ minimum: 0, description: 'How many times' }),
      }),
    ),
  }),
  example: {
    query: { from: '2026-03-04', to: '2026-03-05', group_by: 'day' },
    reply: {
      from: '2026-03-04',
      to: '2026-03-05',
      time_zone: 'Europe/Berlin',
      group_by: 'day',
      spent: 100,
      rows: [{ key: '2026-03-04', spent: 100, count: 8 }],
    },
  },
});

export const listBillingMembers = contract('GET /api/billing/team/members', {
  ...shared,
  name: 'listBillingMembers',
  summary: 'People of the tenant with what they spent in this period',
  reply: Type.Object({
    members: Type.Array(
      Type.Object({
        user_id: Text,
        display_name: Text,
        role: Text,
        is_active: Type.Boolean(),
        spent: Count,
        reserved: Count,
        quota: NullableInteger,
      }),
    ),
  }),
  example: {
    reply: {
      members: [
        {
          user_id: userExample.user_id,
          display_name: userExample.display_name,
          role: 'owner',
          is_active: true,
          spent: 100,
          reserved: 20,
          quota: 200,
        },
      ],
    },
  },
});
