import type { BodyOf } from '../../kit/contract.ts';
import { forbidden } from '../../kit/errors.ts';
import type { Principal } from '../../kit/principal.ts';
import type { User } from './user.ts';
import type { updateUser } from './users.contract.ts';
import { isAdmin, requireGrantable, requireNotAbove, requireSelfOrAdmin } from './users.policy.ts';
import type { Users } from './users.service.ts';
import { requireSameTenant, visibleUser } from './visible-user.ts';

export interface AdministrationOptions {
  users: Users;
  /** Removes an account's files. */
  removeFiles: (userId: string) => Promise<void>;
  /** Throws if the tenant has no seat for another active account. */
  admit?: (tenantId: string) => Promise<void>;
}

/** Accounts as a caller may see and change them: members of other tenants do not exist for it. */
export function createAdministration({ users, removeFiles, admit }: AdministrationOptions) {
  return {
    find: (caller: Principal, userId: string): Promise<User> => visibleUser(users, caller, userId),

    update(caller: Principal, userId: string, changes: BodyOf<typeof updateUser>): Promise<User> {
      requireSelfOrAdmin(caller, userId);
      const { display_name: displayName, avatar_url: avatarUrl, role, is_active: isActive } = changes;
      if (!isAdmin(caller) && (role !== undefined || isActive !== undefined)) throw profileAlone();
      return users.update(userId, { displayName, avatarUrl, role, isActive }, async (user) => {
        requireSameTenant(caller, user);
        requireNotAbove(caller, user);
        if (role !== undefined) requireGrantable(caller, role);
        if (isActive === true && !user.isActive) await admit?.(user.tenantId);
      });
    },

    async remove(caller: Principal, userId: string): Promise<User> {
      const user = await users.remove(userId, (found) => {
        requireSameTenant(caller, found);
        requireNotAbove(caller, found);
      });
      await removeFiles(userId);
      return user;
    },
  };
}

export type Administration = ReturnType<typeof createAdministration>;

const profileAlone = () =>
  forbidden('You may change your display_name and avatar_url; role and is_active are for admins', {
    code: 'insufficient_role',
  });
