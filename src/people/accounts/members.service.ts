import { fitsLimit, type Role } from '../../access/plans.ts';
import { invalid } from '../../kit/errors.ts';
import type { Principal } from '../../kit/principal.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { CountAttempt } from '../auth/index.ts';
import type { Invites } from '../invites/index.ts';
import { type Tenants, tenantNotFound } from '../tenants/index.ts';
import {
  requireGrantable,
  requireNotAbove,
  requireSameTenant,
  type User,
  type Users,
} from '../users/index.ts';
import { inviteMail } from './mails.ts';

export interface MembersOptions {
  users: Users;
  tenants: Tenants;
  invites: Invites;
  mailer: Mailer;
  countAttempt: CountAttempt;
  /** Base address of links in mail. */
  publicUrl: string;
}

interface InviteInput {
  email: string;
  role: Role;
  /** The caller's own tenant by default. */
  tenantId?: string | undefined;
}

/** Makes a check for a free seat: throws 422 with `advice` if all are taken. Every active account takes one. */
export const createSeatCheck =
  ({ users, tenants }: { users: Users; tenants: Tenants }, advice: string) =>
  async (tenantId: string): Promise<void> => {
    const { name, maxUsers } = await tenants.existing(tenantId);
    if (fitsLimit(maxUsers, await users.countActive(tenantId))) return;
    throw invalid(`All ${maxUsers} seats of ${name} are taken. ${advice}`, { code: 'seat_limit' });
  };

/** The members of a tenant and their roles: invitations, roles, closed accounts (spec 1 §4.9). */
export function createMembers(options: MembersOptions) {
  const { users, tenants, invites, mailer, countAttempt, publicUrl } = options;

  /** The tenant that the caller may invite into: their own, or any for operators of the installation. */
  async function targetOf({ tenantId }: Principal, asked: string | undefined): Promise<string> {
    if (asked === undefined || asked === tenantId) return tenantId;
    if ((await tenants.isOperator(tenantId)) && (await tenants.find(asked))) return asked;
    throw tenantNotFound(asked);
  }

  const allowed = (caller: Principal) => (user: User) => {
    requireSameTenant(caller, user);
    requireNotAbove(caller, user);
  };

  /** Returns the invitation, its token and the link to it. */
  async function invite(caller: Principal, input: InviteInput) {
    requireGrantable(caller, input.role);
    const tenantId = await targetOf(caller, input.tenantId);
    const { email, role } = input;
    const made = await invites.create({ email, role, tenantId, createdBy: caller.userId });
    return { ...made, link: `${publicUrl}/accept-invite?token=${made.token}` };
  }

  return {
    invite,

    /**
     * Creates an invitation and mails it. 503 if the mail cannot be sent; no invitation remains then. 429 after too many: otherwise any
     * new user could mail text of their own to anybody.
     */
    async inviteByMail(caller: Principal, input: InviteInput) {
      await countAttempt('mail', caller.userId);
      const made = await invite(caller, input);
      const { tenant_id, invite_id, email } = made.invite;
      const { name } = await tenants.existing(tenant_id);
      try {
        await mailer.send(inviteMail(email, name, made.link));
      } catch (error) {
        await invites.remove(tenant_id, invite_id);
        throw error;
      }
      return made.invite;
    },

    changeRole: (caller: Principal, userId: string, role: Role): Promise<User> =>
      users.update(userId, { role }, (user) => {
        allowed(caller)(user);
        requireGrantable(caller, role);
      }),

    /** Ends the sessions and keys of an account and frees its seat. */
    deactivate: (caller: Principal, userId: string): Promise<User> =>
      users.update(userId, { isActive: false }, allowed(caller)),
  };
}

export type Members = ReturnType<typeof createMembers>;
