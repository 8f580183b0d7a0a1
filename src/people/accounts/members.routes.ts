import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Invite, Invites } from '../invites/index.ts';
import type { Tenants } from '../tenants/index.ts';
import { currentUserOf, type User } from '../users/index.ts';
import type { AccountsService } from './accounts.service.ts';
import {
  changeMemberRole,
  createInviteLink,
  deactivateMember,
  inviteByMail,
  registerWithInvite,
  validateInvite,
} from './members.contract.ts';
import type { Members } from './members.service.ts';

const shown = ({ invite_id, tenant_id, email, role, created_at, expires_at }: Invite) => ({
  invite_id,
  tenant_id,
  email,
  role,
  created_at,
  expires_at,
});

export interface MemberRoutesOptions {
  accounts: AccountsService;
  members: Members;
  invites: Invites;
  tenants: Tenants;
}

export const memberRoutes = ({ accounts, members, invites, tenants }: MemberRoutesOptions): Route[] => {
  const shownUser = async (user: User) => currentUserOf(user, await accounts.tenantOf(user));

  return [
    route(createInviteLink, async (request) => {
      const { invite, token, link } = await members.invite(callerOf(request), request.body);
      return { ...shown(invite), token, invite_url: link };
    }),
    route(inviteByMail, async (request) => {
      const { email, role, tenant_id: tenantId } = request.body;
      const invite = await members.inviteByMail(callerOf(request), { email, role, tenantId });
      return { ...shown(invite), message: `An invitation is on its way to ${invite.email}` };
    }),
    route(validateInvite, async ({ params }) => {
      const { tenant_id, email, role, expires_at } = await invites.find(params.token);
      const { name } = await tenants.existing(tenant_id);
      return { valid: true as const, email, role, tenant_name: name, expires_at };
    }),
    route(registerWithInvite, async ({ body: { token, password, display_name: displayName } }) =>
      accounts.signIn(await invites.accept({ token, password, displayName })),
    ),
    route(changeMemberRole, async (request) =>
      shownUser(await members.changeRole(callerOf(request), request.params.user_id, request.body.role)),
    ),
    route(deactivateMember, async (request) =>
      shownUser(await members.deactivate(callerOf(request), request.params.user_id)),
    ),
  ];
};
