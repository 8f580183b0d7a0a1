import { Type } from 'typebox';
import { PERMISSIONS, ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed, named } from '../../kit/schemas.ts';

export const USERS_TAG = { Users: 'Profiles, pictures and preferences, and the administration of accounts.' };
const TAG = 'Users';
const Role = Type.Enum([...ROLES]);

export const CurrentUser = named('CurrentUser', {
  user_id: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  avatar_url: Type.Union([Type.String(), Type.Null()]),
  tenant_id: Type.String(),
  role: Role,
  tenant_role: Role,
  plan: Type.String(),
  tier: Type.Integer({ description: 'Grows with the plan; gate on `features`, not on it' }),
  tier_id: Type.String(),
  features: Type.Array(Type.String()),
  email_verified: Type.Boolean(),
  is_active: Type.Boolean({ description: 'Whether the account may sign in' }),
  created_at: Type.String(),
});

export const userExample = {
  user_id: '5d1c9d56-3a10-4d4f-9f7e-2f6a0a4b8f11',
  email: 'mara@example.com',
  display_name: 'Mara',
  avatar_url: null,
  tenant_id: 'local',
  role: 'admin',
  tenant_role: 'owner',
  plan: 'enterprise',
  tier: 30,
  tier_id: 'enterprise',
  features: ['web_access', 'ai_generation'],
  email_verified: false,
  is_active: true,
  created_at: '2026-03-04T05:06:07.890Z',
};

export const UserId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });
export const DisplayName = Type.String({ minLength: 1, maxLength: 100 });
export const AvatarUrl = Type.String({
  maxLength: 2048,
  description: "An https address, or that of the user's own uploaded picture",
});

const params = Type.Object({ id: UserId });
const exampleParams = { id: userExample.user_id };

export const listUsers = contract('GET /api/users', {
  name: 'listUsers',
  auth: 'bearer',
  role: PERMISSIONS.deactivate_users,
  tag: TAG,
  summary: 'All accounts of the tenant, the oldest first',
  query: Type.Object(pageQuery),
  reply: pageReply({ users: Type.Array(CurrentUser) }),
  example: { reply: { total: 1, offset: 0, limit: 50, users: [userExample] } },
});

export const getCurrentUser = contract('GET /api/users/current', {
  name: 'getCurrentUser',
  auth: 'bearer',
  tag: TAG,
  summary: 'Who is signed in',
  reply: CurrentUser,
  example: { reply: userExample },
});

export const getUser = contract('GET /api/users/{id}', {
  name: 'getUser',
  auth: 'bearer',
  tag: TAG,
  summary: 'One account',
  description: 'Oneself, or for admins anybody of the tenant.',
  params,
  reply: CurrentUser,
  errors: [403, 404],
  example: { params: exampleParams, reply: userExample },
});

export const updateUser = contract('PUT /api/users/{id}', {
  name: 'updateUser',
  peopleOnly: true,
  auth: 'bearer',
  tag: TAG,
  summary: 'Change an account',
  description:
    'Oneself: `display_name` and `avatar_url`. Admins also change `role` and `is_active`, but nothing of an owner, and they give no role above their own. A change of role or of `is_active` counts at once.',
  params,
  body: closed({
    display_name: Type.Optional(DisplayName),
    avatar_url: Type.Optional(AvatarUrl),
    role: Type.Optional(Role),
    is_active: Type.Optional(Type.Boolean()),
  }),
  reply: CurrentUser,
  errors: [403, 404, 409],
  example: { params: exampleParams, body: { display_name: 'Mara' }, reply: userExample },
});

export const deleteUser = contract('DELETE /api/users/{id}', {
  name: 'deleteUser',
  peopleOnly: true,
  auth: 'bearer',
  role: PERMISSIONS.deactivate_users,
  tag: TAG,
  summary: 'Delete an account',
  description:
    'Ends its sessions at once and removes its profile, picture and preferences. What the person wrote stays. 409 for the last owner.',
  params,
  reply: Type.Object({ message: Type.String() }),
  errors: [403, 404, 409],
  example: { params: exampleParams, reply: { message: 'Deleted mara@example.com' } },
});
