import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Auth } from '../auth/index.ts';
import { requireGrantable } from '../users/index.ts';
import { acceptInvite, createInvite, deleteInvite, listInvites } from './invites.contract.ts';
import type { Invite, Invites } from './invites.service.ts';

const shown = ({ invite_id, email, role, status, created_at, expires_at }: Invite) => ({
  invite_id,
  email,
  role,
  status,
  created_at,
  expires_at,
});

export const inviteRoutes = (invites: Invites, auth: Auth): Route[] => [
  route(createInvite, async (request) => {
    const { userId: createdBy, tenantId } = callerOf(request);
    const { email, role } = request.body;
    requireGrantable(callerOf(request), role);
    const { invite, token } = await invites.create({ email, role, tenantId, createdBy });
    return { ...shown(invite), token };
  }),
  route(listInvites, async ({ tenantId, query: { offset = 0, limit = 50 } }) => {
    const page = await invites.page(tenantId, { offset, limit });
    return { total: page.total, offset, limit, invites: page.invites.map(shown) };
  }),
  route(deleteInvite, async ({ tenantId, params }) => {
    await invites.remove(tenantId, params.invite_id);
    return { message: 'The invitation was withdrawn' };
  }),
  route(acceptInvite, async ({ body: { token, password, display_name: displayName } }) =>
    auth.signIn(await invites.accept({ token, password, displayName })),
  ),
];
