import type { PlanName, Role } from '../../content/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Authenticate, Principal } from '../../kit/principal.ts';
import {
  ACCESS_TOKEN_LIFETIME,
  type AccessTokens,
  endedSession,
  expiredToken,
  type VerifiedClaims,
} from './access-tokens.ts';
import type { Sessions } from './sessions.service.ts';

/** How old the knowledge of a session may be: changes made by other processes count within this time. */
const RECHECK_MS = 5_000;
const MOST_REMEMBERED = 10_000;

/** A principal that came with a session of ours. */
export interface SignedIn extends Principal {
  sessionId: string;
  tenantRole: Role;
}

export const isSignedIn = (principal: Principal | null): principal is SignedIn =>
  principal !== null && 'sessionId' in principal;

interface Remembered {
  principal: SignedIn;
  claims: VerifiedClaims;
  checkedAtMs: number;
}

export interface AuthenticateOptions {
  tokens: AccessTokens;
  sessions: Pick<Sessions, 'activeUser'>;
  clock: Clock;
  /** The installation's plan; tokens that name another have had their day. */
  plan: PlanName;
}

export interface Authenticator {
  authenticate: Authenticate;
  /** Refuses a session's tokens from now on, without waiting for the next look. */
  forget(sessionId: string): void;
}

/** Checks access tokens. What was checked in the last seconds is answered at once, from memory. */
export function createAuthenticate({ tokens, sessions, clock, plan }: AuthenticateOptions): Authenticator {
  const remembered = new Map<string, Remembered>();
  const checking = new Map<string, Promise<SignedIn>>();
  const ended = new Map<string, number>();

  async function look(claims: VerifiedClaims): Promise<SignedIn> {
    const user = claims.plan === plan ? await sessions.activeUser(claims.sessionId) : null;
    if (user === null || user.userId !== claims.userId || ended.has(claims.sessionId)) throw endedSession();
    return {
      userId: user.userId,
      email: user.email,
      tenantId: user.tenantId,
      role: user.role,
      tenantRole: user.tenantRole,
      plan,
      sessionId: claims.sessionId,
    };
  }

  async function check(token: string): Promise<SignedIn> {
    const known = remembered.get(token)?.claims;
    remembered.delete(token);
    if (known && known.expiresAtMs <= clock.now()) throw expiredToken();
    const claims = known ?? (await tokens.verify(token));
    const checkedAtMs = clock.now();
    const principal = await look(claims);
    dropOldest(remembered, MOST_REMEMBERED);
    remembered.set(token, { principal, claims, checkedAtMs });
    return principal;
  }

  return {
    authenticate(token) {
      const now = clock.now();
      const entry = remembered.get(token);
      if (entry && now - entry.checkedAtMs < RECHECK_MS && now < entry.claims.expiresAtMs)
        return entry.principal;
      const running = checking.get(token) ?? check(token).finally(() => checking.delete(token));
      checking.set(token, running);
      return running;
    },
    forget(sessionId) {
      const now = clock.now();
      for (const [id, until] of ended) if (until <= now) ended.delete(id);
      ended.set(sessionId, now + ACCESS_TOKEN_LIFETIME * 1000);
      for (const [token, { principal }] of remembered)
        if (principal.sessionId === sessionId) remembered.delete(token);
    },
  };
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size < most) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
