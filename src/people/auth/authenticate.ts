import type { TenantPlan } from '../../access/entitlements.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Authenticate, Principal } from '../../kit/principal.ts';
import { createRecent } from '../../kit/recent.ts';
import {
  ACCESS_TOKEN_LIFETIME,
  type AccessTokens,
  endedSession,
  expiredToken,
  type VerifiedClaims,
} from './access-tokens.ts';
import type { Sessions } from './sessions.service.ts';

/** Milliseconds for which a check is cached. With the interval of open sockets, changes elsewhere take effect within 5 seconds. */
const RECHECK_MS = 3_000;
const MOST_REMEMBERED = 10_000;

/** The principal of a session. */
export interface SignedIn extends Principal {
  sessionId: string;
}

export const isSignedIn = (principal: Principal | null): principal is SignedIn =>
  principal !== null && 'sessionId' in principal;

interface Checked {
  principal: SignedIn;
  claims: VerifiedClaims;
}

export interface AuthenticateOptions {
  tokens: AccessTokens;
  sessions: Pick<Sessions, 'activeUser'>;
  clock: Clock;
  /** A tenant's current plan; tokens that name another one have expired. */
  planOf: (tenantId: string) => Promise<TenantPlan | null>;
}

export interface Authenticator {
  authenticate: Authenticate;
  /** Refuses a session's tokens from now on, without waiting for the cache to expire. */
  forget(sessionId: string): void;
  /** Checks the tokens of a user whose role or sessions changed again at the next request. */
  forgetUser(userId: string): void;
}

/** Checks access tokens. Recent results are answered synchronously from memory. */
export function createAuthenticate({ tokens, sessions, clock, planOf }: AuthenticateOptions): Authenticator {
  const ended = new Map<string, number>();
  const recent = createRecent<Checked>({
    clock,
    forMs: RECHECK_MS,
    most: MOST_REMEMBERED,
    load: async (token, previous) => {
      const claims = previous?.claims ?? (await tokens.verify(token));
      return { claims, principal: await look(claims) };
    },
  });

  async function look(claims: VerifiedClaims): Promise<SignedIn> {
    const user = await sessions.activeUser(claims.sessionId);
    if (user === null || user.userId !== claims.userId || ended.has(claims.sessionId)) throw endedSession();
    const tenant = await planOf(user.tenantId);
    if (tenant?.plan !== claims.plan) throw expiredToken();
    return {
      userId: user.userId,
      email: user.email,
      tenantId: user.tenantId,
      role: user.role,
      tenantRole: user.tenantRole,
      plan: tenant.plan,
      overrides: tenant.overrides,
      sessionId: claims.sessionId,
    };
  }

  function principalOf({ claims, principal }: Checked): SignedIn {
    if (claims.expiresAtMs <= clock.now()) throw expiredToken();
    return principal;
  }

  return {
    authenticate(token) {
      const checked = recent.get(token);
      return checked instanceof Promise ? checked.then(principalOf) : principalOf(checked);
    },
    forget(sessionId) {
      const now = clock.now();
      for (const [id, until] of ended) if (until <= now) ended.delete(id);
      ended.set(sessionId, now + ACCESS_TOKEN_LIFETIME * 1000);
      recent.forget(({ principal }) => principal.sessionId === sessionId);
    },
    forgetUser: (userId) => recent.forget(({ principal }) => principal.userId === userId),
  };
}
