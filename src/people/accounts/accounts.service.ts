import { entitlementsOf } from '../../access/entitlements.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import { forbidden } from '../../kit/errors.ts';
import {
  ACCESS_TOKEN_LIFETIME,
  endedSession,
  type Granted,
  type Identity,
  type PasswordSignIn,
  webSessionOf,
} from '../auth/index.ts';
import type { webSession } from '../auth/web.contract.ts';
import type { Tenant, Tenants } from '../tenants/index.ts';
import { currentUserOf, type NewUser, type Roles, type User, type Users } from '../users/index.ts';
import type { getAccount, loginAccount } from './accounts.contract.ts';

export type AccountTokens = ReplyOf<typeof loginAccount>;

export interface AccountsServiceOptions {
  users: Users;
  signInByPassword: PasswordSignIn;
  tenants: Tenants;
  identity: Identity;
  registration: 'open' | 'invite' | 'closed';
}

/** A registration, with the name of the new tenant. */
export interface NewAccount extends Omit<NewUser, 'tenantId'> {
  /** The person's own name by default. */
  tenantName?: string | undefined;
}

/** Accounts of many tenants: registration, sign-in and session renewal (spec 1 §4.9). */
export function createAccountsService(options: AccountsServiceOptions) {
  const { users, signInByPassword, tenants, identity, registration } = options;
  const { sessions } = identity;

  async function existing(userId: string): Promise<User> {
    const user = await users.findById(userId);
    if (user === null) throw endedSession();
    return user;
  }

  async function tenantOf(user: User): Promise<Tenant> {
    const tenant = await tenants.find(user.tenantId);
    if (tenant === null) throw endedSession();
    return tenant;
  }

  async function tokensOf({ sessionId, refreshToken }: Granted): Promise<AccountTokens> {
    const { token, user, plan } = await identity.issue(sessionId);
    return {
      access_token: token,
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_LIFETIME,
      user_id: user.userId,
      email: user.email,
      display_name: user.displayName,
      ...entitlementsOf(plan.plan, plan.overrides),
    };
  }

  /** 403 if the person's tenant was deleted. */
  async function signIn(user: User): Promise<AccountTokens> {
    if ((await tenants.find(user.tenantId)) === null) throw tenantDeleted();
    return tokensOf(await sessions.begin(user));
  }

  async function refuseWhenClosed(): Promise<void> {
    if (registration === 'open' || (await users.isEmpty())) return;
    throw forbidden(
      registration === 'invite'
        ? 'Registration is by invitation: ask an admin for one (setting REGISTRATION)'
        : 'Registration is closed (setting REGISTRATION)',
      { code: 'registration_closed' },
    );
  }

  /** Creates the owner of a new tenant. 403 if registration is closed, 409 if the address is taken. */
  async function openAccount(input: NewAccount): Promise<User> {
    await refuseWhenClosed();
    return open(input, () => ({ role: 'admin', tenantRole: 'owner' }));
  }

  /** Creates the installation's first account; returns null if there is one already. */
  async function openFirst(input: NewAccount): Promise<User | null> {
    if (!(await users.isEmpty())) return null;
    const notFirst = new Error('somebody else was first');
    const refuse = (): never => {
      throw notFirst;
    };
    return open(input, refuse).catch((error: unknown) => {
      if (error === notFirst) return null;
      throw error;
    });
  }

  async function open({ tenantName, ...input }: NewAccount, roles: () => Roles): Promise<User> {
    const name = tenantName ?? (input.displayName?.trim() || input.email.split('@')[0]?.trim()) ?? '';
    const tenant = await tenants.create({ name: name === '' ? 'New tenant' : name });
    try {
      return await users.create({ ...input, tenantId: tenant.tenantId }, roles);
    } catch (error) {
      await tenants.remove(tenant.tenantId);
      throw error;
    }
  }

  return {
    tenantOf,
    signIn,
    openAccount,
    openFirst,
    refuseWhenClosed,
    userOf: signInByPassword,

    refresh: async (refreshToken: string): Promise<AccountTokens> =>
      tokensOf(await sessions.refresh(refreshToken)),

    async account(userId: string): Promise<ReplyOf<typeof getAccount>> {
      const user = await existing(userId);
      const tenant = await tenantOf(user);
      const { name, plan, deletesAt } = tenant;
      return {
        ...currentUserOf(user, tenant),
        tenant_name: name,
        subscription_tier: plan,
        tenant_deletes_at: deletesAt,
      };
    },

    async webSession(userId: string): Promise<ReplyOf<typeof webSession>> {
      const user = await existing(userId);
      return webSessionOf(user, await tenantOf(user));
    },
  };
}

export type AccountsService = ReturnType<typeof createAccountsService>;

const tenantDeleted = () =>
  forbidden('The tenant that this account belongs to was deleted, and the account with it', {
    code: 'tenant_deleted',
  });
