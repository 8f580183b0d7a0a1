import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { FeatureOverrides } from '../../access/entitlements.ts';
import { isPlanName, isRole } from '../../access/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import { unauthorized } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Principal } from '../../kit/principal.ts';
import type { TokenKeys, VerifyingKeys } from './token-keys.ts';

export const ACCESS_TOKEN_LIFETIME = 15 * 60;
/** Seconds by which another of our processes' clocks may be ahead. */
const CLOCK_SKEW = 60;
const ISSUER = 'canonry';
const TYPE = 'at+jwt';

export interface AccessClaims extends Omit<Principal, 'apiKey'> {
  overrides: FeatureOverrides;
  sessionId: string;
  /** The number of the latest access change when the claims were read. */
  accessSeq: number;
}

export interface VerifiedClaims extends AccessClaims {
  expiresAtMs: number;
}

export interface AccessTokens {
  /** Valid for a quarter of an hour, but not beyond `end` (ISO 8601). */
  sign(claims: AccessClaims, end?: string | null): Promise<string>;
  /** Throws 401 for a token that was not issued here or has expired. */
  verify(token: string): Promise<VerifiedClaims>;
}

/** Access tokens (JWT) signed with the given keys. */
export function createAccessTokens({ keys, clock }: { keys: TokenKeys; clock: Clock }): AccessTokens {
  return {
    async sign({ userId, email, tenantId, role, tenantRole, plan, overrides, sessionId, accessSeq }, end) {
      const issued = Math.floor(clock.now() / 1000);
      const latest = end ? Math.floor(Date.parse(end) / 1000) : Number.POSITIVE_INFINITY;
      const { key, kid } = await keys.signing();
      return new SignJWT({
        email,
        tenant_id: tenantId,
        role,
        tenant_role: tenantRole,
        plan,
        overrides,
        sid: sessionId,
        seq: accessSeq,
      })
        .setProtectedHeader({ alg: keys.algorithm, typ: TYPE, ...(kid !== undefined && { kid }) })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setJti(newId())
        .setIssuedAt(issued)
        .setExpirationTime(Math.min(issued + ACCESS_TOKEN_LIFETIME, latest))
        .sign(key);
    },
    verify: createTokenCheck({ keys, clock }),
  };
}

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** True for the canonical encoding. Base64 readers also allow padding and several last letters: one token would have many spellings. */
const isWrittenAsIssued = (token: string): boolean =>
  COMPACT.test(token) &&
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** Only the check of access tokens, for surfaces that do not sign any. */
export function createTokenCheck({
  keys,
  clock,
}: {
  keys: VerifyingKeys;
  clock: Clock;
}): AccessTokens['verify'] {
  const keyFor = async ({ kid }: { kid?: string }) => {
    const key = await keys.verifying(kid);
    if (key === null) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  return async (token) => {
    if (!isWrittenAsIssued(token)) throw invalidToken();
    const options = {
      algorithms: [keys.algorithm],
      issuer: ISSUER,
      typ: TYPE,
      currentDate: new Date(clock.now()),
    };
    const { payload } = await jwtVerify(token, keyFor, options).catch((error: unknown) => {
      throw error instanceof errors.JWTExpired ? expiredToken() : refusedToken(error);
    });
    return claimsOf(payload, Math.floor(clock.now() / 1000));
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function claimsOf(payload: JWTPayload, now: number): VerifiedClaims {
  const { sub, email, tenant_id, role, tenant_role, plan, overrides, sid, seq, iat, exp } = payload;
  if (iat === undefined || exp === undefined || iat > now + CLOCK_SKEW || exp - iat > ACCESS_TOKEN_LIFETIME) {
    throw invalidToken();
  }
  if (!isText(sub) || !isText(email) || !isText(tenant_id) || !isText(sid)) throw invalidToken();
  if (!isRole(role) || !isRole(tenant_role) || !isPlanName(plan)) throw invalidToken();
  if (!isObject(overrides) || typeof seq !== 'number') throw invalidToken();
  const expiresAtMs = exp * 1000;
  return {
    userId: sub,
    email,
    tenantId: tenant_id,
    role,
    tenantRole: tenant_role,
    plan,
    overrides,
    sessionId: sid,
    accessSeq: seq,
    expiresAtMs,
  };
}

export const expiredToken = () =>
  unauthorized('The access token has expired: get a new one from POST /api/auth/refresh', {
    code: 'token_expired',
  });

/** For a valid token whose session has ended. */
export const endedSession = () =>
  unauthorized('This session has ended: sign in again', { code: 'session_ended' });

const invalidToken = () => unauthorized('The access token is not valid', { code: 'invalid_token' });

/** Errors of the token all get the same reply; our own errors pass through. */
const refusedToken = (error: unknown): unknown =>
  error instanceof errors.JOSEError ? invalidToken() : error;
