import { PLANS, type PlanName } from '../../content/plans.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { User } from '../users/user.ts';
import type { authContracts } from './auth.contract.ts';

/** A user as replies show one (spec 1 §2.7). */
export function currentUserOf(user: User, planName: PlanName): ReplyOf<typeof authContracts.me> {
  const plan = PLANS[planName];
  return {
    user_id: user.userId,
    email: user.email,
    display_name: user.displayName,
    avatar_url: user.avatarUrl,
    tenant_id: user.tenantId,
    role: user.role,
    tenant_role: user.tenantRole,
    plan: plan.name,
    tier: plan.tier,
    tier_id: plan.name,
    features: Object.entries(plan.features).flatMap(([feature, has]) => (has ? [feature] : [])),
    email_verified: user.emailVerified,
    created_at: user.createdAt,
  };
}
