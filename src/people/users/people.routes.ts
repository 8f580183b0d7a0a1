import { fileReply } from '../../kit/http/file-reply.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Avatars } from './avatar.service.ts';
import { getPersonAvatar, listPeople } from './people.contract.ts';
import { avatarPath } from './profile.ts';
import type { User } from './user.ts';
import { type Users, userNotFound } from './users.service.ts';
import { requireSameTenant } from './visible-user.ts';

const MOST = 1_000;

/** Pictures elsewhere would tell their hosts who looks at what, so only those that were uploaded here are named. */
const personOf = ({ userId, displayName, avatarUrl }: User) => ({
  id: userId,
  display_name: displayName,
  avatar: avatarUrl === avatarPath(userId) ? `/api/people/${userId}/avatar` : null,
});

export const peopleRoutes = (users: Users): Route[] => [
  route(listPeople, async ({ tenantId, query }) => {
    const { offset = 0, limit = MOST } = query;
    const page = await users.page(tenantId, { offset, limit });
    return { total: page.total, offset, limit, items: page.users.map(personOf) };
  }),
];

export const personAvatarRoutes = ({ users, avatars }: { users: Users; avatars: Avatars }): Route[] => [
  route(getPersonAvatar, async (request) => {
    const user = await users.findById(request.params.id);
    if (user === null) throw userNotFound(request.params.id);
    requireSameTenant(callerOf(request), user);
    const { headers, ...picture } = await avatars.open(user.userId);
    return fileReply(
      { ...picture, headers: { ...headers, 'cache-control': 'private, max-age=60, must-revalidate' } },
      request.headers,
    );
  }),
];
