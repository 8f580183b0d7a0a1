import { Type } from 'typebox';
import { PERMISSIONS, ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';
import { Email, Password } from '../auth/auth.contract.ts';
import { CurrentUser, DisplayName, UserId, userExample } from '../users/users.contract.ts';
import { AccountTokens, accountTokensExample } from './accounts.contract.ts';

const TAG = 'Members';
const Role = Type.Enum([...ROLES]);

const invite = {
  invite_id: Type.String(),
  tenant_id: Type.String(),
  email: Type.String(),
  role: Role,
  created_at: Type.String(),
  expires_at: Type.String(),
};
const inviteExample = {
  invite_id: '0d5a3a3e-7a2f-4b0e-9a55-1f2c3d4e5f60',
  tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
  email: 'ben@example.com',
  role: 'editor',
  created_at: '2026-03-04T05:06:07.890Z',
  expires_at: '2026-03-11T05:06:07.890Z',
};
const token = 'cnri_Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q';
const Token = Type.String({ minLength: 1, maxLength: 200 });

const shared = { auth: 'bearer', peopleOnly: true, tag: TAG } as const;

export const createInviteLink = contract('POST /api/auth/create-invite', {
  ...shared,
  name: 'createInviteLink',
  role: PERMISSIONS.invite_users,
  summary: 'Make a link that invites somebody',
  description:
    'The token and the link are shown only now, and good once and for seven days; pass the link on. It replaces an earlier invitation of the same address.',
  body: closed({ email: Email, role: Role }),
  reply: Type.Object({ ...invite, token: Type.String(), invite_url: Type.String() }),
  status: 201,
  errors: [403, 409],
  example: {
    body: { email: 'ben@example.com', role: 'editor' },
    reply: {
      ...inviteExample,
      token,
      invite_url: `https://canonry.example.com/accept-invite?token=${token}`,
    },
  },
});

export const inviteByMail = contract('POST /api/auth/invite', {
  ...shared,
  name: 'inviteByMail',
  role: PERMISSIONS.invite_users,
  summary: 'Invite somebody by mail',
  description:
    "`tenant_id` is the caller's own unless the caller runs the installation; another one answers as one that does not exist. Mails that one person sends are limited as sign-ins are.",
  body: closed({
    email: Email,
    role: Role,
    tenant_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
  reply: Type.Object({ ...invite, message: Type.String() }),
  status: 201,
  errors: [403, 404, 409, 503],
  example: {
    body: { email: 'ben@example.com', role: 'editor' },
    reply: { ...inviteExample, message: 'An invitation is on its way to ben@example.com' },
  },
});

export const validateInvite = contract('GET /api/auth/validate-invite/{token}', {
  name: 'validateInvite',
  auth: 'none',
  tag: TAG,
  summary: 'Whether an invitation is still good, and for whom',
  params: Type.Object({ token: Token }),
  reply: Type.Object({
    valid: Type.Literal(true),
    email: Type.String(),
    role: Role,
    tenant_name: Type.String(),
    expires_at: Type.String(),
  }),
  errors: [401],
  limit: 'login',
  example: {
    params: { token },
    reply: {
      valid: true,
      email: inviteExample.email,
      role: inviteExample.role,
      tenant_name: 'Studio Mara',
      expires_at: inviteExample.expires_at,
    },
  },
});

export const registerWithInvite = contract('POST /api/auth/register-with-invite', {
  name: 'registerWithInvite',
  auth: 'none',
  tag: TAG,
  summary: 'Create an account by an invitation and sign in',
  description:
    'Tenant, address and role are those of the invitation. 422 when all seats are taken: nothing is made, and the invitation stays good.',
  body: closed({ token: Token, password: Password, display_name: Type.Optional(DisplayName) }),
  reply: AccountTokens,
  status: 201,
  errors: [401, 403, 409, 503],
  limit: 'login',
  example: {
    body: { token, password: 'a long pass phrase', display_name: 'Ben' },
    reply: accountTokensExample,
  },
});

const member = { params: Type.Object({ user_id: UserId }), reply: CurrentUser, errors: [403, 404, 409] };
const exampleParams = { user_id: userExample.user_id };

export const changeMemberRole = contract('PATCH /api/auth/users/{user_id}/role', {
  ...shared,
  ...member,
  name: 'changeMemberRole',
  role: PERMISSIONS.change_roles,
  summary: 'Change what a member may do',
  description: 'Nobody gives a role above their own. It counts within five seconds; 409 for the last owner.',
  body: closed({ role: Role }),
  example: { params: exampleParams, body: { role: 'editor' }, reply: userExample },
});

export const deactivateMember = contract('POST /api/auth/users/{user_id}/deactivate', {
  ...shared,
  ...member,
  name: 'deactivateMember',
  role: PERMISSIONS.deactivate_users,
  summary: "Close a member's account",
  description:
    'Ends sessions and API keys and frees the seat; what the person wrote stays. 409 for the last owner.',
  example: { params: exampleParams, reply: { ...userExample, is_active: false } },
});
