import { Type } from 'typebox';
import { PERMISSIONS, PLAN_NAMES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, closed, NullableText } from '../../kit/schemas.ts';
import { exampleCode } from './codes.contract.ts';
import { Code, GivenFlags, TAG } from './shared.contract.ts';

const PlanOfCode = Type.Enum([...PLAN_NAMES]);

export const validateBetaCode = contract('GET /api/beta/validate/{code}', {
  name: 'validateBetaCode',
  auth: 'none',
  tag: TAG,
  summary: 'Is this code good, and for what?',
  description: 'Every code that cannot be redeemed gets the same reply, whatever the reason.',
  params: Type.Object({ code: Code }),
  reply: Type.Object({
    valid: Type.Boolean(),
    message: Type.String(),
    plan: Type.Optional(PlanOfCode),
    days: Type.Optional(Count),
    credits: Type.Optional(Count),
    features: Type.Optional(GivenFlags),
  }),
  limit: 'login',
  example: {
    params: { code: exampleCode },
    reply: {
      valid: true,
      message: 'This code can be redeemed',
      plan: 'team',
      days: 90,
      credits: 500,
      features: {},
    },
  },
});

export const redeemBetaCode = contract('POST /api/beta/redeem', {
  name: 'redeemBetaCode',
  auth: 'bearer',
  role: PERMISSIONS.manage_billing,
  peopleOnly: true,
  tag: TAG,
  summary: 'Give one’s tenant what a code gives',
  description:
    'The tenant has the plan until `access_ends_at`, and the credits as long as that code lasts. Sent again, it gets the same answer and uses nothing up. While access runs, the highest plan and the latest end of all redeemed codes count. Access tokens show the plan within five seconds.',
  body: closed({ code: Code }),
  reply: Type.Object({
    plan: PlanOfCode,
    access_ends_at: Type.String(),
    credits: Count,
    features: GivenFlags,
    cohort: NullableText,
  }),
  errors: [403, 404],
  example: {
    body: { code: exampleCode },
    reply: {
      plan: 'team',
      access_ends_at: '2026-06-02T05:06:07.890Z',
      credits: 500,
      features: {},
      cohort: 'spring',
    },
  },
});
