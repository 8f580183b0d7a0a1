import { Type } from 'typebox';
import { PLAN_NAMES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed, named } from '../../kit/schemas.ts';
import { UserId, userExample } from '../users/users.contract.ts';

export const setSubscription = contract('PUT /api/users/{id}/subscription', {
  name: 'setSubscription',
  auth: 'service',
  tag: 'Between services',
  summary: 'Put the tenant of a user on a plan',
  description:
    'For the surface that hears of payments. Seats and credits become the plan’s own; tokens that name the old plan end within 5 seconds.',
  params: Type.Object({ id: UserId }),
  body: closed({ plan: Type.Enum([...PLAN_NAMES]) }),
  reply: named('Subscription', {
    user_id: Type.String(),
    tenant_id: Type.String(),
    plan: Type.Enum([...PLAN_NAMES]),
    tier: Type.Integer(),
    tier_id: Type.Enum([...PLAN_NAMES]),
    features: Type.Array(Type.String()),
  }),
  errors: [404, 409],
  example: {
    params: { id: userExample.user_id },
    body: { plan: 'team' },
    reply: {
      user_id: userExample.user_id,
      tenant_id: userExample.tenant_id,
      plan: 'team',
      tier: 20,
      tier_id: 'team',
      features: ['web_access', 'cloud_sync', 'cloud_drive', 'mobile_access', 'sso', 'custom_templates'],
    },
  },
});
