import type { PlanName } from '../../access/plans.ts';
import type { BodyOf, ReplyOf } from '../../kit/contract.ts';
import { forbidden } from '../../kit/errors.ts';
import { currentUserOf, type Roles, type User, type Users } from '../users/index.ts';
import { ACCESS_TOKEN_LIFETIME, endedSession } from './access-tokens.ts';
import type { authContracts } from './auth.contract.ts';
import type { Identity } from './identity.ts';
import type { PasswordSignIn } from './password-sign-in.ts';
import type { Granted } from './sessions.service.ts';
import type { webSession } from './web.contract.ts';
import { webSessionOf } from './web-session.reply.ts';

type Tokens = ReplyOf<typeof authContracts.login>;

export interface AuthOptions {
  users: Users;
  signInByPassword: PasswordSignIn;
  identity: Identity;
  registration: 'open' | 'invite' | 'closed';
  plan: PlanName;
}

const TENANT_NAME = 'This installation';

/** Registration, sign-in and sign-out (spec 1 §4.9). */
export function createAuth(options: AuthOptions) {
  const { users, signInByPassword, identity, registration, plan } = options;
  const { sessions } = identity;

  async function existing(userId: string): Promise<User> {
    const user = await users.findById(userId);
    if (user === null) throw endedSession();
    return user;
  }

  async function answer({ sessionId, refreshToken }: Granted): Promise<Tokens> {
    const { token, user } = await identity.issue(sessionId);
    return {
      access_token: token,
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_LIFETIME,
      user: currentUserOf(user, { plan }),
    };
  }

  const rolesOfLaterUsers = (): Roles => {
    if (registration === 'open') return { role: 'viewer', tenantRole: 'viewer' };
    throw forbidden(
      registration === 'invite'
        ? 'Registration is by invitation: ask an admin for one (setting REGISTRATION)'
        : 'Registration is closed (setting REGISTRATION)',
      { code: 'registration_closed' },
    );
  };

  const signIn = async (user: User): Promise<Tokens> => answer(await sessions.begin(user));

  return {
    signIn,

    async register(body: BodyOf<typeof authContracts.register>): Promise<Tokens> {
      // Refuses before the costly hash; the decision that counts is made again under the lock.
      if (!(await users.isEmpty())) rolesOfLaterUsers();
      const { email, password, display_name: displayName } = body;
      const user = await users.create({ email, password, displayName }, rolesOfLaterUsers);
      return signIn(user);
    },

    login: async (body: BodyOf<typeof authContracts.login>, address: string): Promise<Tokens> =>
      signIn(await signInByPassword(body, address)),

    async refresh(refreshToken: string): Promise<Tokens> {
      return answer(await sessions.refresh(refreshToken));
    },

    currentUser: async (userId: string): Promise<ReplyOf<typeof authContracts.me>> =>
      currentUserOf(await existing(userId), { plan }),

    webSession: async (userId: string): Promise<ReplyOf<typeof webSession>> =>
      webSessionOf(await existing(userId), { name: TENANT_NAME, plan }),
  };
}

export type Auth = ReturnType<typeof createAuth>;
