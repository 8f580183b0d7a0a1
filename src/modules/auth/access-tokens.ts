import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { isPlanName, isRole, type PlanName, type Role } from '../../content/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import { unauthorized } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';

/** Seconds. */
export const ACCESS_TOKEN_LIFETIME = 15 * 60;
/** Seconds that the clock of another of our processes may be ahead. */
const CLOCK_SKEW = 60;
const FEWEST_SECRET_BYTES = 32;
const ISSUER = 'canonry';
const TYPE = 'at+jwt';
const ALGORITHM = 'HS256';

/** What an access token says. */
export interface AccessClaims {
  userId: string;
  email: string;
  tenantId: string;
  role: Role;
  tenantRole: Role;
  plan: PlanName;
  sessionId: string;
}

export interface VerifiedClaims extends AccessClaims {
  expiresAtMs: number;
}

export interface AccessTokens {
  sign(claims: AccessClaims): Promise<string>;
  /** Throws 401 for anything that was not issued here or has run out. */
  verify(token: string): Promise<VerifiedClaims>;
}

/** HS256 tokens of a self-hosted core (spec 1 §5). The secret is looked at on first use: commands may run without one. */
export function createAccessTokens({ secret, clock }: { secret: string; clock: Clock }): AccessTokens {
  const key = (): KeyObject => {
    const bytes = Buffer.from(secret);
    if (bytes.length < FEWEST_SECRET_BYTES) throw new Error('tokens need a JWT_SECRET of 32 bytes or more');
    return createSecretKey(bytes);
  };
  const seconds = () => Math.floor(clock.now() / 1000);
  return {
    sign({ userId, email, tenantId, role, tenantRole, plan, sessionId }) {
      const issued = seconds();
      return new SignJWT({ email, tenant_id: tenantId, role, tenant_role: tenantRole, plan, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setJti(newId())
        .setIssuedAt(issued)
        .setExpirationTime(issued + ACCESS_TOKEN_LIFETIME)
        .sign(key());
    },
    async verify(token) {
      const options = {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        typ: TYPE,
        currentDate: new Date(clock.now()),
      };
      const { payload } = await jwtVerify(token, key(), options).catch((error: unknown) => {
        throw error instanceof errors.JWTExpired ? expiredToken() : refusedToken(error);
      });
      return claimsOf(payload, seconds());
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function claimsOf(payload: JWTPayload, now: number): VerifiedClaims {
  const { sub, email, tenant_id, role, tenant_role, plan, sid, iat, exp } = payload;
  if (iat === undefined || exp === undefined || iat > now + CLOCK_SKEW || exp - iat > ACCESS_TOKEN_LIFETIME) {
    throw invalidToken();
  }
  if (!isText(sub) || !isText(email) || !isText(tenant_id) || !isText(sid)) throw invalidToken();
  if (!isRole(role) || !isRole(tenant_role) || !isPlanName(plan)) throw invalidToken();
  const expiresAtMs = exp * 1000;
  return {
    userId: sub,
    email,
    tenantId: tenant_id,
    role,
    tenantRole: tenant_role,
    plan,
    sessionId: sid,
    expiresAtMs,
  };
}

export const expiredToken = () =>
  unauthorized('The access token has expired: get a new one from POST /api/auth/refresh', {
    code: 'token_expired',
  });

/** For a token that is well made but whose session ended. */
export const endedSession = () =>
  unauthorized('This session has ended: sign in again', { code: 'session_ended' });

const invalidToken = () => unauthorized('The access token is not valid', { code: 'invalid_token' });

/** Whatever the token's own fault is, the answer is one; faults of ours pass through. */
const refusedToken = (error: unknown): unknown =>
  error instanceof errors.JOSEError ? invalidToken() : error;
