import type { PlanName } from '../../access/plans.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { User } from '../users/index.ts';
import type { webSession } from './web.contract.ts';

export const webSessionOf = (
  user: User,
  tenant: { name: string; plan: PlanName },
): ReplyOf<typeof webSession> => ({
  user_id: user.userId,
  email: user.email,
  display_name: user.displayName,
  tenant_id: user.tenantId,
  tenant_name: tenant.name,
  role: user.role,
  tenant_role: user.tenantRole,
  plan: tenant.plan,
  email_verified: user.emailVerified,
  user: { user_id: user.userId, email: user.email },
});
