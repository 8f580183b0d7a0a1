import type { Role } from '../../access/plans.ts';
import { checkedName } from '../../kit/checked-name.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAccessChanges } from '../access-changes/index.ts';
import { checkedEmail, normalisedEmail } from './email.ts';
import { checkPassword, type Passwords } from './passwords.ts';
import { checkedAvatarUrl } from './profile.ts';
import type { User } from './user.ts';
import { createUserStore, NO_PASSWORD } from './users.store.ts';

export interface NewUser {
  email: string;
  /** Null for a user who signs in by other means. */
  password: string | null;
  /** An existing hash, instead of `password`. */
  passwordHash?: string;
  /** The part of the address before the @ by default. */
  displayName?: string | undefined;
  /** The installation's own tenant by default. */
  tenantId?: string;
  /** True if the address is known to belong to the person. */
  emailVerified?: boolean;
}

export interface Roles {
  role: Role;
  tenantRole: Role;
}

/** Milliseconds for which a provider's word outweighs a verification by mail. */
const JUST_VERIFIED_MS = 7 * 24 * 3_600_000;

const FIRST_USER: Roles = { role: 'admin', tenantRole: 'owner' };

export interface UserChanges {
  displayName?: string | undefined;
  avatarUrl?: string | undefined;
  role?: Role | undefined;
  isActive?: boolean | undefined;
}

export interface UsersOptions {
  database: Database;
  passwords: Passwords;
  clock: Clock;
  tenantId: string;
}

/** Accounts of an installation. There is always at least one owner who can sign in. */
export function createUsers({ database, passwords, clock, tenantId }: UsersOptions) {
  const store = createUserStore(database.system, createAccessChanges({ database, clock }).note);
  const now = () => isoTime(clock.now());
  const listeners = new Set<(userId: string) => void>();
  const alone = <Result>(work: () => Promise<Result>) => database.system.exclusive('users', work);

  async function existing(userId: string): Promise<User> {
    const user = await store.findById(userId);
    if (user === null) throw userNotFound(userId);
    return user;
  }

  async function keepAnOwner(leaving: User): Promise<void> {
    if (leaving.tenantRole !== 'owner') return;
    const others = (await store.list(leaving.tenantId)).filter((user) => user.userId !== leaving.userId);
    if (others.some((user) => user.tenantRole === 'owner' && user.isActive)) return;
    throw conflict(`${leaving.email} is the last owner who can sign in: make somebody else an owner first`, {
      code: 'last_owner',
    });
  }

  async function hashOf(password: string | null): Promise<string | null> {
    if (password === null) return null;
    checkPassword(password);
    return passwords.hash(password);
  }

  const accessChanged = (userId: string): void => {
    for (const listener of listeners) listener(userId);
  };

  return {
    findById: store.findById,
    page: store.page,

    /** `listener` is called for each user whose role, sessions or account this process changes. */
    onAccessChanged(listener: (userId: string) => void): void {
      listeners.add(listener);
    },

    findByEmail: (email: string) => store.findByEmail(normalisedEmail(email)),
    isEmpty: store.isEmpty,
    /** All accounts of a tenant, by default the installation's own. */
    list: (of: string = tenantId) => store.list(of),

    /**
     * Adds an account. The very first becomes admin and owner, also among concurrent calls; others get `roles`, which may throw; no other
     * account is created or changed meanwhile. 409 if the address is taken, 422 for an invalid address or password.
     */
    async create(input: NewUser, roles: () => Roles | Promise<Roles>): Promise<User> {
      const email = checkedEmail(input.email);
      const passwordHash = input.passwordHash ?? (await hashOf(input.password));
      return alone(async () => {
        const { role, tenantRole } = (await store.isEmpty()) ? FIRST_USER : await roles();
        if (await store.findByEmail(email)) throw emailTaken();
        const at = now();
        return store.insert({
          user_id: newId(),
          tenant_id: input.tenantId ?? tenantId,
          email,
          display_name: checkedName(
            input.displayName?.trim() || (email.split('@')[0] ?? email),
            'display_name',
          ),
          password_hash: passwordHash ?? NO_PASSWORD,
          role,
          tenant_role: tenantRole,
          avatar_url: null,
          email_verified: input.emailVerified === true ? 1 : 0,
          // An account without a password came from a provider, which vouched for the address.
          email_verified_at: input.emailVerified === true && passwordHash !== null ? at : null,
          is_active: 1,
          created_at: at,
          updated_at: at,
          session_epoch: 0,
        });
      });
    },

    /**
     * Changes an account. Role and `isActive` take effect at once here and within 5 seconds elsewhere; a closed account loses its sessions
     * for good. `allow` gets the current user and may throw; no other account is created or changed meanwhile. 404 if there is no such
     * user, 409 for the last owner, 422 for an invalid name or address.
     */
    async update(
      userId: string,
      changes: UserChanges,
      allow: (user: User) => void | Promise<void> = () => {},
    ): Promise<User> {
      const { displayName, avatarUrl, role, isActive } = changes;
      const user = await alone(async () => {
        const before = await existing(userId);
        await allow(before);
        const losesOwner = (role !== undefined && role !== 'owner') || isActive === false;
        if (losesOwner) await keepAnOwner(before);
        await store.update(userId, {
          updated_at: now(),
          ...(displayName !== undefined && { display_name: checkedName(displayName, 'display_name') }),
          ...(avatarUrl !== undefined && { avatar_url: checkedAvatarUrl(avatarUrl, userId) }),
          ...(role !== undefined && { role, tenant_role: role }),
          ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
        });
        return existing(userId);
      });
      if (role !== undefined || isActive !== undefined) accessChanged(userId);
      return user;
    },

    /** Removes an account and ends its sessions; the person's texts stay. Errors as for `update`. */
    async remove(userId: string, allow: (user: User) => void): Promise<User> {
      const user = await alone(async () => {
        const before = await existing(userId);
        allow(before);
        await keepAnOwner(before);
        await store.remove(userId);
        return before;
      });
      accessChanged(userId);
      return user;
    },

    /** Removes every account of a tenant that is being deleted, including its owners. */
    async removeAll(of: string): Promise<void> {
      const gone = await alone(async () => {
        const all = await store.list(of);
        for (const { userId } of all) await store.remove(userId);
        return all;
      });
      for (const { userId } of gone) accessChanged(userId);
    },

    /** Number of seats taken: active accounts of the tenant. */
    countActive: store.countActive,

    /** Records that the address belongs to the account's holder, unless the address has changed. */
    async verifyEmail(userId: string, email: string): Promise<User | null> {
      const user = await store.findById(userId);
      if (user?.email !== email) return null;
      const at = now();
      if (!user.emailVerified)
        await store.update(userId, { email_verified: 1, email_verified_at: at, updated_at: at });
      return { ...user, emailVerified: true };
    },

    /**
     * Secures an account whose address a provider vouches for. If the address was not verified by mail, or only in the last days, somebody
     * else may have entered it: the password is removed, sessions and keys end, and the result is true.
     */
    async claim(userId: string): Promise<boolean> {
      const before = isoTime(clock.now() - JUST_VERIFIED_MS);
      const isTaken = await store.claim(userId, { before, now: now() });
      if (isTaken) accessChanged(userId);
      return isTaken;
    },

    /** Ends the user's sessions. 422 for a password that is not allowed. */
    async setPassword(userId: string, password: string): Promise<User> {
      checkPassword(password);
      await existing(userId);
      await store.changePassword(userId, await passwords.hash(password), now());
      accessChanged(userId);
      return existing(userId);
    },
  };
}

export type Users = ReturnType<typeof createUsers>;

export const userNotFound = (userId: string) =>
  notFound(`There is no user ${userId}`, { code: 'user_not_found' });

const emailTaken = () =>
  conflict('This address cannot be registered. If it is yours, sign in or ask an admin for a new password', {
    code: 'email_taken',
  });
