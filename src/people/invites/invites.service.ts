import type { Role } from '../../access/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { randomToken, sha256Hex } from '../../kit/crypto.ts';
import { conflict, forbidden, notFound, unauthorized } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { checkedEmail, checkPassword, mayGive, type User, type Users } from '../users/index.ts';
import { createInviteStore } from './invites.store.ts';
import type { InviteRow } from './invites.tables.ts';

const LIFETIME_MS = 7 * 24 * 3_600_000;
const PREFIX = 'cnri_';

export interface InvitesOptions {
  database: Database;
  users: Users;
  clock: Clock;
  /** `closed`: invitations are refused like registrations. */
  registration: 'open' | 'invite' | 'closed';
  /** Throws if the tenant has no free seat; no account is created or changed while it decides. */
  admit?: (tenantId: string) => Promise<void>;
  /** True if somebody of another tenant may invite into this one. */
  mayInviteFrom?: (inviterTenantId: string) => Promise<boolean>;
}

export interface NewInvite {
  tenantId: string;
  email: string;
  role: Role;
  /** The inviting user; null for the command line. */
  createdBy: string | null;
}

export interface Invite extends Omit<InviteRow, 'token_hash'> {
  status: 'pending' | 'accepted' | 'expired';
}

/** Invitations: a token that creates one account of a given address and role (spec 1 §3). */
export function createInvites(options: InvitesOptions) {
  const { database, users, clock, registration, admit, mayInviteFrom = async () => false } = options;
  const store = createInviteStore(database.system);
  const now = () => isoTime(clock.now());

  const shown = ({ token_hash: _, ...row }: InviteRow): Invite => ({
    ...row,
    status: row.accepted_at !== null ? 'accepted' : row.expires_at <= now() ? 'expired' : 'pending',
  });

  function refuseWhenClosed(): void {
    if (registration === 'closed')
      throw forbidden('Registration is closed (setting REGISTRATION)', { code: 'registration_closed' });
  }

  /** An invitation is only as valid as its author: it ends when they lose their account or role. */
  async function isBacked({ created_by, tenant_id, role }: InviteRow): Promise<boolean> {
    if (created_by === null) return true;
    const inviter = await users.findById(created_by);
    if (!inviter?.isActive || !mayGive(inviter, role)) return false;
    return inviter.tenantId === tenant_id || mayInviteFrom(inviter.tenantId);
  }

  async function goodInvite(token: string): Promise<InviteRow> {
    const invite = await store.find(sha256Hex(token), now());
    if (invite === null || !(await isBacked(invite))) throw badInvite();
    return invite;
  }

  return {
    /** Returns the invitation and its token, which is not stored. 409 if the address has an account in the tenant. */
    async create({ tenantId, email: address, role, createdBy }: NewInvite) {
      refuseWhenClosed();
      const email = checkedEmail(address);
      const found = await users.findByEmail(email);
      if (found?.user.tenantId === tenantId)
        throw conflict(`${email} already has an account`, { code: 'email_taken' });
      const token = PREFIX + randomToken();
      const row: InviteRow = {
        invite_id: newId(),
        tenant_id: tenantId,
        email,
        role,
        token_hash: sha256Hex(token),
        created_by: createdBy,
        created_at: now(),
        expires_at: isoTime(clock.now() + LIFETIME_MS),
        accepted_at: null,
      };
      await store.replace(row);
      return { invite: shown(row), token };
    },

    async page(tenantId: string, page: { offset: number; limit: number }) {
      const { total, rows } = await store.page(tenantId, page);
      return { total, invites: rows.map(shown) };
    },

    async remove(tenantId: string, inviteId: string): Promise<void> {
      if (await store.remove(tenantId, inviteId)) return;
      throw notFound('There is no such open invitation', { code: 'invite_not_found' });
    },

    /** Withdraws a person's open invitations. */
    removeOf: store.removeOf,

    /** Removes all invitations of a tenant that is being deleted. */
    removeAll: store.removeAll,

    /** The invitation of a token; 401 with the same message for any invalid one. */
    find: async (token: string): Promise<Invite> => shown(await goodInvite(token)),

    /** Creates the account. 401 with the same message for any invalid token. Without an account the invitation stays valid. */
    async accept(input: {
      token: string;
      /** Null for a user who signs in by other means. */
      password: string | null;
      displayName?: string | undefined;
      emailVerified?: boolean;
    }): Promise<User> {
      refuseWhenClosed();
      if (input.password !== null) checkPassword(input.password);
      const { invite_id, token_hash, email, role, tenant_id: tenantId } = await goodInvite(input.token);
      let isTaken = false;
      try {
        const user = await users.create({ ...input, email, tenantId }, async () => {
          await admit?.(tenantId);
          isTaken = await store.take(token_hash, now());
          if (!isTaken) throw badInvite();
          return { role, tenantRole: role };
        });
        // The very first account is created without this check.
        if (!isTaken) await store.take(token_hash, now());
        return user;
      } catch (error) {
        if (isTaken) await store.release(invite_id);
        throw error;
      }
    },
  };
}

export type Invites = ReturnType<typeof createInvites>;

const badInvite = () =>
  unauthorized('The invitation is invalid or no longer valid: ask for a new one', { code: 'invalid_invite' });
