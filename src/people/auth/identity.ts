import type { TenantPlan } from '../../access/entitlements.ts';
import type { Clock } from '../../kit/clock.ts';
import { HttpError, unauthorized } from '../../kit/errors.ts';
import type { RateLimit } from '../../kit/http/rate-limit.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import { createAccessChanges } from '../access-changes/index.ts';
import type { User, Users } from '../users/index.ts';
import { createAccessTokens, endedSession } from './access-tokens.ts';
import { createAttempts } from './attempts.ts';
import { createAuthenticate, isSignedIn, type SignedIn } from './authenticate.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { badRefreshToken, createSessions } from './sessions.service.ts';
import type { TokenKeys } from './token-keys.ts';

export interface IdentityOptions {
  database: Database;
  clock: Clock;
  log: Log;
  rateLimit: RateLimit;
  keyValue: KeyValue;
  users: Users;
  keys: TokenKeys;
  /** Signs refresh tokens. */
  refreshSecret: string;
  /** A tenant's current plan, and the end of its access if there is one; null for a deleted tenant. */
  planOf: (tenantId: string) => Promise<(TenantPlan & { deletesAt?: string | null }) | null>;
}

/** An access token, with the account and plan that it names. */
export interface Issued {
  token: string;
  user: User;
  plan: TenantPlan;
}

/** Sessions, their tokens and the check of those: the basis of every kind of sign-in. */
export function createIdentity(options: IdentityOptions) {
  const { database, clock, log, rateLimit, keyValue, users, keys, refreshSecret, planOf } = options;
  const tokens = createAccessTokens({ keys, clock });
  const refreshTokens = createRefreshTokens(refreshSecret);
  const sessions = createSessions({ database, users, refreshTokens, clock, log });
  const authenticator = createAuthenticate({ tokens, sessions, clock, planOf });
  const changes = createAccessChanges({ database, clock });
  users.onAccessChanged(authenticator.forgetUser);

  /** Null for a token that is no longer valid, or that has no session. */
  async function signedInBy(token: string): Promise<SignedIn | null> {
    const principal = await Promise.resolve(token)
      .then(authenticator.authenticate)
      .catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 401) return null;
        throw error;
      });
    return isSignedIn(principal) ? principal : null;
  }

  const sessionOf = async (refresh: string, caller: SignedIn | null): Promise<string | null> =>
    caller ? sessions.sessionOf(refresh, caller.userId) : sessions.sessionNamedBy(refresh);

  return {
    /** Issues an access token for an active session; 401 if the session has ended. */
    async issue(sessionId: string): Promise<Issued> {
      // This must be read first, so that a change during the other reads ends the token instead of going unnoticed.
      const accessSeq = await changes.latest();
      const user = await sessions.activeUser(sessionId);
      const found = user && (await planOf(user.tenantId));
      if (!user || !found) throw endedSession();
      const { plan, overrides, deletesAt = null } = found;
      const token = await tokens.sign({ ...user, plan, overrides, sessionId, accessSeq }, deletesAt);
      return { token, user, plan: { plan, overrides } };
    },
    sessions,
    authenticator,
    attempts: createAttempts({ rateLimit, keyValue }),
    /**
     * Ends the sessions of an access token and of a refresh token: here at once, in other processes within seconds. One valid token is
     * enough; a refresh token beside an access token must be of the same user. 401 if neither is valid.
     */
    async signOut({ access, refresh }: GivenTokens): Promise<void> {
      const caller = access ? await signedInBy(access) : null;
      const other = refresh ? await sessionOf(refresh, caller) : null;
      const found = [caller?.sessionId, other].filter((each) => typeof each === 'string');
      if (found.length === 0) throw refresh ? badRefreshToken() : noToken();
      for (const each of new Set(found)) {
        authenticator.forget(each);
        await sessions.revoke(each);
      }
    },
  };
}

/** The tokens in a request to sign out. */
export interface GivenTokens {
  access?: string | null | undefined;
  refresh?: string | null | undefined;
}

const noToken = () =>
  unauthorized(
    'There is no session to end: send its access token as Authorization: Bearer <access token>, or its refresh token as refresh_token',
    { code: 'not_authenticated' },
  );

export type Identity = ReturnType<typeof createIdentity>;
