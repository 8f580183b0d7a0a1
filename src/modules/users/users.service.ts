import type { Role } from '../../content/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { checkedEmail, normalisedEmail } from './email.ts';
import { checkPassword, type Passwords } from './passwords.ts';
import type { User } from './user.ts';
import { createUserStore } from './users.store.ts';

export interface NewUser {
  email: string;
  password: string;
  /** The address's part before the @ unless given. */
  displayName?: string | undefined;
}

export interface Roles {
  role: Role;
  tenantRole: Role;
}

const FIRST_USER: Roles = { role: 'admin', tenantRole: 'owner' };

export interface UsersOptions {
  database: Database;
  passwords: Passwords;
  clock: Clock;
  /** The tenant that new accounts belong to. */
  tenantId: string;
}

/** Accounts of an installation. There is always at least one owner who can sign in. */
export function createUsers({ database, passwords, clock, tenantId }: UsersOptions) {
  const store = createUserStore(database.system);
  const now = () => isoTime(clock.now());
  const alone = <Result>(work: () => Promise<Result>) => database.system.exclusive('users', work);

  async function existing(userId: string): Promise<User> {
    const user = await store.findById(userId);
    if (user === null) throw notFound(`There is no user ${userId}`, { code: 'user_not_found' });
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

  const change = (userId: string, changes: Parameters<typeof store.update>[1]) =>
    store.update(userId, { ...changes, updated_at: now() });

  return {
    findById: store.findById,
    findByEmail: (email: string) => store.findByEmail(normalisedEmail(email)),
    isEmpty: store.isEmpty,
    list: () => store.list(tenantId),

    /**
     * Adds an account. The first of all becomes admin and owner, whoever is first of many at once; the others get
     * `roles`, which may throw to refuse them. 409 when the address is taken, 422 for a bad address or password.
     */
    async create(input: NewUser, roles: () => Roles): Promise<User> {
      const email = checkedEmail(input.email);
      checkPassword(input.password);
      const passwordHash = await passwords.hash(input.password);
      return alone(async () => {
        const { role, tenantRole } = (await store.isEmpty()) ? FIRST_USER : roles();
        if (await store.findByEmail(email)) throw emailTaken();
        const at = now();
        return store.insert({
          user_id: newId(),
          tenant_id: tenantId,
          email,
          display_name: input.displayName?.trim() || (email.split('@')[0] ?? email),
          password_hash: passwordHash,
          role,
          tenant_role: tenantRole,
          avatar_url: null,
          email_verified: 0,
          is_active: 1,
          created_at: at,
          updated_at: at,
          session_epoch: 0,
        });
      });
    },

    /** Takes effect in open sessions within 5 seconds. 409 for the last owner. */
    setRole: (userId: string, role: Role): Promise<User> =>
      alone(async () => {
        const user = await existing(userId);
        if (role !== 'owner') await keepAnOwner(user);
        await change(userId, { role, tenant_role: role });
        return existing(userId);
      }),

    /** Ends the user's sessions; nothing of theirs is deleted. 409 for the last owner. */
    deactivate: (userId: string): Promise<User> =>
      alone(async () => {
        await keepAnOwner(await existing(userId));
        await change(userId, { is_active: 0 });
        return existing(userId);
      }),

    /** Ends the user's sessions. 422 for a password that may not be chosen. */
    async setPassword(userId: string, password: string): Promise<void> {
      checkPassword(password);
      await existing(userId);
      await store.changePassword(userId, await passwords.hash(password), now());
    },
  };
}

export type Users = ReturnType<typeof createUsers>;

const emailTaken = () =>
  conflict('This address cannot be registered. If it is yours, sign in or ask an admin for a new password', {
    code: 'email_taken',
  });
