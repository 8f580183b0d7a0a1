import type { Principal } from '../../kit/principal.ts';
import type { User } from './user.ts';
import { requireSelfOrAdmin } from './users.policy.ts';
import { type Users, userNotFound } from './users.service.ts';

/** Throws 404 for members of other tenants, as for unknown users. */
export function requireSameTenant(caller: Principal, user: User): void {
  if (user.tenantId !== caller.tenantId) throw userNotFound(user.userId);
}

/** A user that the caller may see: themselves or, for admins, anybody of the tenant. 403 or 404 otherwise. */
export async function visibleUser(users: Users, caller: Principal, userId: string): Promise<User> {
  requireSelfOrAdmin(caller, userId);
  const user = await users.findById(userId);
  if (user === null) throw userNotFound(userId);
  requireSameTenant(caller, user);
  return user;
}
