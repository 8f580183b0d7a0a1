import { Type } from 'typebox';
import { PERMISSIONS, ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed } from '../../kit/schemas.ts';
import { TokenResponse, tokenExample } from '../auth/auth.contract.ts';
import { DisplayName } from '../users/users.contract.ts';

const TAG = 'Invitations';
const Role = Type.Enum([...ROLES]);

const invite = {
  invite_id: Type.String(),
  email: Type.String(),
  role: Role,
  status: Type.Enum(['pending', 'accepted', 'expired']),
  created_at: Type.String(),
  expires_at: Type.String(),
};
const inviteExample = {
  invite_id: '0d5a3a3e-7a2f-4b0e-9a55-1f2c3d4e5f60',
  email: 'ben@example.com',
  role: 'editor',
  status: 'pending',
  created_at: '2026-03-04T05:06:07.890Z',
  expires_at: '2026-03-11T05:06:07.890Z',
};
const token = 'cnri_Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q';

const shared = { auth: 'bearer', peopleOnly: true, role: PERMISSIONS.invite_users, tag: TAG } as const;

export const createInvite = contract('POST /api/invites', {
  ...shared,
  name: 'createInvite',
  summary: 'Invite somebody',
  description:
    'The reply holds the token, which is shown only now and is good once and for seven days; pass it on. It replaces an earlier invitation of the same address.',
  body: closed({ email: Type.String({ minLength: 1, maxLength: 320 }), role: Role }),
  reply: Type.Object({ ...invite, token: Type.String() }),
  status: 201,
  errors: [403, 409],
  example: { body: { email: 'ben@example.com', role: 'editor' }, reply: { ...inviteExample, token } },
});

export const listInvites = contract('GET /api/invites', {
  ...shared,
  name: 'listInvites',
  summary: 'Invitations, the newest first',
  query: Type.Object(pageQuery),
  reply: pageReply({ invites: Type.Array(Type.Object(invite)) }),
  example: { reply: { total: 1, offset: 0, limit: 50, invites: [inviteExample] } },
});

export const deleteInvite = contract('DELETE /api/invites/{invite_id}', {
  ...shared,
  name: 'deleteInvite',
  summary: 'Withdraw an invitation that nobody took',
  params: Type.Object({ invite_id: Type.String({ maxLength: 64 }) }),
  reply: Type.Object({ message: Type.String() }),
  errors: [404],
  example: {
    params: { invite_id: inviteExample.invite_id },
    reply: { message: 'The invitation was withdrawn' },
  },
});

export const acceptInvite = contract('POST /api/auth/accept-invite', {
  name: 'acceptInvite',
  auth: 'none',
  tag: TAG,
  summary: 'Create an account by an invitation and sign in',
  description: 'The address and the role are those of the invitation.',
  body: closed({
    token: Type.String({ minLength: 1, maxLength: 200 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    display_name: Type.Optional(DisplayName),
  }),
  reply: TokenResponse,
  status: 201,
  errors: [401, 403, 409, 503],
  limit: 'login',
  example: { body: { token, password: 'a long pass phrase', display_name: 'Ben' }, reply: tokenExample },
});
