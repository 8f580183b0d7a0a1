import { PERMISSIONS, ROLES, type Role, roleAllows, strongest } from '../../access/plans.ts';
import { forbidden } from '../../kit/errors.ts';
import type { Principal } from '../../kit/principal.ts';
import type { User } from './user.ts';

export const isAdmin = (caller: Principal): boolean =>
  roleAllows(strongest(caller), PERMISSIONS.deactivate_users);

/** Throws 403 unless the caller is the user or an admin; the same if there is no such user. */
export function requireSelfOrAdmin(caller: Principal, userId: string): void {
  if (caller.userId === userId || isAdmin(caller)) return;
  throw forbidden('This is about somebody else: admin access required', { code: 'insufficient_role' });
}

/** Throws 403 if an admin would change somebody above them: only owners may change an owner's password or role. */
export function requireNotAbove(caller: Principal, target: User): void {
  if (caller.userId === target.userId || roleAllows(strongest(caller), strongest(target))) return;
  throw forbidden(`${target.email} is ${strongest(target)}: only a user of that role may do this`, {
    code: 'insufficient_role',
  });
}

/** True if a holder of these roles may give this one to others. */
export const mayGive = (holder: { role: Role; tenantRole: Role }, role: Role): boolean =>
  roleAllows(strongest(holder), PERMISSIONS.invite_users) && roleAllows(strongest(holder), role);

/** Throws 403 for a role above the caller's own. */
export function requireGrantable(caller: Principal, role: Role): void {
  if (mayGive(caller, role)) return;
  const given = ROLES.filter((each) => roleAllows(strongest(caller), each));
  throw forbidden(`You may give the roles ${given.join(', ')}`, { code: 'insufficient_role' });
}
