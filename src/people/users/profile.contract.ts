import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';
import { AvatarUrl, DisplayName, userExample } from './users.contract.ts';

const profile = {
  auth: 'bearer',
  tag: 'Users',
  summary: "Change one's own profile",
  body: closed({ display_name: Type.Optional(DisplayName), avatar_url: Type.Optional(AvatarUrl) }),
  reply: Type.Object({
    user_id: Type.String(),
    email: Type.String(),
    display_name: Type.String(),
    avatar_url: Type.Union([Type.String(), Type.Null()]),
    subscription_tier: Type.String({ description: "The plan's name" }),
  }),
  example: {
    body: { display_name: 'Mara' },
    reply: {
      user_id: userExample.user_id,
      email: userExample.email,
      display_name: 'Mara',
      avatar_url: null,
      subscription_tier: 'enterprise',
    },
  },
} as const;

export const updateProfile = contract('PATCH /api/users/profile', { ...profile, name: 'updateProfile' });

export const updateUserProfile = contract('PATCH /api/user/profile', {
  ...profile,
  name: 'updateUserProfile',
  description: 'The same as `PATCH /api/users/profile`.',
});
