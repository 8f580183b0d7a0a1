import type { PlanName } from '../../content/plans.ts';
import type { BodyOf, ReplyOf } from '../../kit/contract.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { forbidden, HttpError, unauthorized } from '../../kit/errors.ts';
import { type RateLimit, rateHeaders } from '../../kit/http/rate-limit.ts';
import { normalisedEmail } from '../users/email.ts';
import type { Passwords } from '../users/passwords.ts';
import type { Roles, Users } from '../users/users.service.ts';
import { ACCESS_TOKEN_LIFETIME, type AccessTokens, endedSession } from './access-tokens.ts';
import type { authContracts } from './auth.contract.ts';
import { currentUserOf } from './auth.replies.ts';
import type { Authenticator, SignedIn } from './authenticate.ts';
import type { Granted, Sessions } from './sessions.service.ts';

type Tokens = ReplyOf<typeof authContracts.login>;

export interface AuthOptions {
  users: Users;
  passwords: Passwords;
  sessions: Sessions;
  tokens: AccessTokens;
  authenticator: Authenticator;
  rateLimit: RateLimit;
  registration: 'open' | 'invite' | 'closed';
  plan: PlanName;
}

/** Registering, signing in and out (spec 1 §4.9). */
export function createAuth(options: AuthOptions) {
  const { users, passwords, sessions, tokens, authenticator, rateLimit, registration, plan } = options;

  async function answer({ user, sessionId, refreshToken }: Granted): Promise<Tokens> {
    return {
      access_token: await tokens.sign({ ...user, plan, sessionId }),
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_LIFETIME,
      user: currentUserOf(user, plan),
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

  async function countAttempt(email: string): Promise<void> {
    const decision = await rateLimit('login', `account ${sha256Hex(email)}`);
    if (decision === null || decision.allowed) return;
    throw new HttpError(
      429,
      `Too many attempts for this account: try again in ${decision.resetSeconds} seconds`,
      {
        code: 'rate_limited',
        headers: { ...rateHeaders(decision), 'retry-after': String(decision.resetSeconds) },
      },
    );
  }

  return {
    async register(body: BodyOf<typeof authContracts.register>): Promise<Tokens> {
      // Refused before the costly hash; the decision that counts is made again with the lock held.
      if (!(await users.isEmpty())) rolesOfLaterUsers();
      const user = await users.create({ ...body, displayName: body.display_name }, rolesOfLaterUsers);
      return answer(await sessions.begin(user));
    },

    async login({ email, password }: BodyOf<typeof authContracts.login>): Promise<Tokens> {
      await countAttempt(normalisedEmail(email));
      const found = await users.findByEmail(email);
      const matches = await passwords.matches(password, found?.passwordHash ?? null);
      if (!found?.user.isActive || !matches) throw wrongCredentials();
      return answer(await sessions.begin(found.user));
    },

    async refresh(refreshToken: string): Promise<Tokens> {
      return answer(await sessions.refresh(refreshToken));
    },

    /** Ends the caller's session at once, and that of a refresh token of theirs. */
    async logout({ sessionId, userId }: SignedIn, refreshToken: string | undefined): Promise<void> {
      const other = refreshToken === undefined ? null : await sessions.sessionOf(refreshToken, userId);
      for (const each of new Set([sessionId, other ?? sessionId])) {
        authenticator.forget(each);
        await sessions.revoke(each);
      }
    },

    async currentUser(userId: string): Promise<ReplyOf<typeof authContracts.me>> {
      const user = await users.findById(userId);
      if (user === null) throw endedSession();
      return currentUserOf(user, plan);
    },
  };
}

export type Auth = ReturnType<typeof createAuth>;

const wrongCredentials = () =>
  unauthorized('The e-mail address or the password is wrong', { code: 'invalid_credentials' });
