import { fileReply } from '../../kit/http/file-reply.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Administration } from './administration.service.ts';
import { getAvatar, uploadAvatar } from './avatar.contract.ts';
import type { Avatars } from './avatar.service.ts';
import { peopleRoutes, personAvatarRoutes } from './people.routes.ts';
import { getPreferences, updatePreferences } from './preferences.contract.ts';
import type { PreferencesService } from './preferences.service.ts';
import { updateProfile, updateUserProfile } from './profile.contract.ts';
import { currentUserOf, profileOf } from './user.reply.ts';
import { deleteUser, getCurrentUser, getUser, listUsers, updateUser } from './users.contract.ts';
import type { Users } from './users.service.ts';

export interface UserRoutesOptions {
  administration: Administration;
  users: Users;
  avatars: Avatars;
  preferences: PreferencesService;
}

export const userRoutes = (options: UserRoutesOptions): Route[] => [
  route(getCurrentUser, async (request) => {
    const caller = callerOf(request);
    return currentUserOf(await options.administration.find(caller, caller.userId), caller);
  }),
  ...accountRoutes(options),
  ...profileRoutes(options),
  ...avatarRoutes(options),
  ...peopleRoutes(options.users),
  ...personAvatarRoutes(options),
  ...preferencesRoutes(options),
];

type AccountRoutesOptions = Pick<UserRoutesOptions, 'administration' | 'users'>;

export const accountRoutes = ({ administration, users }: AccountRoutesOptions): Route[] => [
  route(listUsers, async (request) => {
    const { tenantId, query } = request;
    const { offset = 0, limit = 50 } = query;
    const page = await users.page(tenantId, { offset, limit });
    const shown = page.users.map((user) => currentUserOf(user, callerOf(request)));
    return { total: page.total, offset, limit, users: shown };
  }),
  route(getUser, async (request) => {
    const caller = callerOf(request);
    return currentUserOf(await administration.find(caller, request.params.id), caller);
  }),
  route(updateUser, async (request) => {
    const caller = callerOf(request);
    return currentUserOf(await administration.update(caller, request.params.id, request.body), caller);
  }),
  route(deleteUser, async (request) => {
    const { email } = await administration.remove(callerOf(request), request.params.id);
    return { message: `Deleted ${email}` };
  }),
];

/** The caller's own profile, at each of its addresses. */
export const profileRoutes = (
  { administration }: Pick<UserRoutesOptions, 'administration'>,
  contracts: readonly (typeof updateProfile)[] = [updateProfile, updateUserProfile],
): Route[] =>
  contracts.map((contract) =>
    route(contract, async (request) => {
      const caller = callerOf(request);
      return profileOf(await administration.update(caller, caller.userId, request.body), caller.plan);
    }),
  );

const avatarRoutes = ({ avatars }: UserRoutesOptions): Route[] => [
  route(uploadAvatar, async (request) => {
    const { path = '' } = request.files.avatar ?? {};
    const url = await avatars.replace(callerOf(request).userId, path);
    return { avatar_url: url, message: 'The picture was stored' };
  }),
  route(getAvatar, async ({ params, headers }) => fileReply(await avatars.open(params.user_id), headers)),
];

export const preferencesRoutes = ({ preferences }: Pick<UserRoutesOptions, 'preferences'>): Route[] => [
  route(getPreferences, (request) => preferences.read(callerOf(request).userId)),
  route(updatePreferences, (request) => preferences.update(callerOf(request).userId, request.body)),
];
