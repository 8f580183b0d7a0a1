import { entitlementsOf, type TenantPlan } from '../../access/entitlements.ts';
import type { PlanName } from '../../access/plans.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { updateProfile } from './profile.contract.ts';
import type { User } from './user.ts';
import type { getUser } from './users.contract.ts';

/** Spec 1 §2.7. */
export function currentUserOf(
  user: User,
  { plan, overrides }: Pick<TenantPlan, 'plan'> & Partial<TenantPlan>,
): ReplyOf<typeof getUser> {
  return {
    user_id: user.userId,
    email: user.email,
    display_name: user.displayName,
    avatar_url: user.avatarUrl,
    tenant_id: user.tenantId,
    role: user.role,
    tenant_role: user.tenantRole,
    ...entitlementsOf(plan, overrides),
    email_verified: user.emailVerified,
    is_active: user.isActive,
    created_at: user.createdAt,
  };
}

/** Spec 1 §4.10. */
export const profileOf = (user: User, plan: PlanName): ReplyOf<typeof updateProfile> => ({
  user_id: user.userId,
  email: user.email,
  display_name: user.displayName,
  avatar_url: user.avatarUrl,
  subscription_tier: plan,
});
