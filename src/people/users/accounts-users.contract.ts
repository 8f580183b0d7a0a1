import { Type } from 'typebox';
import { PERMISSIONS, ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { getPreferences } from './preferences.contract.ts';
import { updateUserProfile } from './profile.contract.ts';
import { userExample } from './users.contract.ts';

const TAG = 'Users';
const Role = Type.Enum([...ROLES]);

export const getUserProfile = contract('GET /api/user/profile', {
  name: 'getUserProfile',
  auth: 'bearer',
  tag: TAG,
  summary: "One's own profile",
  reply: updateUserProfile.reply,
  example: { reply: updateUserProfile.example.reply },
});

export const saveUserProfile = contract('POST /api/user/profile', {
  ...updateUserProfile,
  name: 'saveUserProfile',
});

export const getUserPreferences = contract('GET /api/user/preferences', {
  ...getPreferences,
  name: 'getUserPreferences',
  description: 'The same as `GET /api/users/preferences`.',
});

export const getUserPermissions = contract('GET /api/groups/user-permissions', {
  name: 'getUserPermissions',
  auth: 'bearer',
  tag: TAG,
  summary: 'What the caller may do',
  description:
    '`permissions` follow from the stronger of `role` and `tenant_role`, `features` from the plan of the tenant and its overrides.',
  reply: Type.Object({
    user_id: Type.String(),
    tenant_id: Type.String(),
    role: Role,
    tenant_role: Role,
    permissions: Type.Array(Type.Enum(Object.keys(PERMISSIONS) as (keyof typeof PERMISSIONS)[])),
    plan: Type.String(),
    tier: Type.Integer(),
    tier_id: Type.String(),
    features: Type.Array(Type.String()),
  }),
  example: {
    reply: {
      user_id: userExample.user_id,
      tenant_id: 'local',
      role: 'editor',
      tenant_role: 'editor',
      permissions: ['read_content', 'create_entities', 'edit_entities', 'delete_entities', 'use_ai'],
      plan: 'team',
      tier: 20,
      tier_id: 'team',
      features: ['web_access', 'ai_generation'],
    },
  },
});
