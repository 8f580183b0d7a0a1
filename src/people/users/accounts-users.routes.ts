import { entitlementsOf } from '../../access/entitlements.ts';
import { permissionsOf, strongest } from '../../access/plans.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import {
  getUserPermissions,
  getUserPreferences,
  getUserProfile,
  saveUserProfile,
} from './accounts-users.contract.ts';
import { peopleRoutes } from './people.routes.ts';
import { updateProfile, updateUserProfile } from './profile.contract.ts';
import { profileOf } from './user.reply.ts';
import { accountRoutes, preferencesRoutes, profileRoutes, type UserRoutesOptions } from './users.routes.ts';

export const accountsUserRoutes = (options: Omit<UserRoutesOptions, 'avatars'>): Route[] => [
  ...accountRoutes(options),
  ...profileRoutes(options, [updateProfile, updateUserProfile, saveUserProfile]),
  ...preferencesRoutes(options),
  ...peopleRoutes(options.users),
  route(getUserProfile, async (request) => {
    const caller = callerOf(request);
    return profileOf(await options.administration.find(caller, caller.userId), caller.plan);
  }),
  route(getUserPreferences, (request) => options.preferences.read(callerOf(request).userId)),
  route(getUserPermissions, (request) => {
    const caller = callerOf(request);
    return {
      user_id: caller.userId,
      tenant_id: caller.tenantId,
      role: caller.role,
      tenant_role: caller.tenantRole,
      permissions: permissionsOf(strongest(caller)),
      ...entitlementsOf(caller.plan, caller.overrides),
    };
  }),
];
