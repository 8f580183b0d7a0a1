import type { Clock } from '../../kit/clock.ts';
import { unavailable } from '../../kit/errors.ts';
import { createRecent } from '../../kit/recent.ts';
import {
  type AccessTokens,
  endedSession,
  expiredToken,
  type SignedIn,
  type VerifiedClaims,
} from '../auth/index.ts';
import type { AccessWatch } from './access-watch.ts';

/** Milliseconds after which a signature is checked again: its key may have been withdrawn. */
const RECHECK_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export interface AuthenticateTokensOptions {
  verify: AccessTokens['verify'];
  watch: Pick<AccessWatch, 'knows' | 'changedSince'>;
  clock: Clock;
}

/** Checks access tokens of the accounts service: by its keys, and by the access changes since. */
export function createAuthenticateTokens({ verify, watch, clock }: AuthenticateTokensOptions) {
  const recent = createRecent<VerifiedClaims>({
    clock,
    forMs: RECHECK_MS,
    most: MOST_REMEMBERED,
    load: verify,
  });

  function principalOf({ expiresAtMs, accessSeq, ...principal }: VerifiedClaims): SignedIn {
    const { sessionId, userId, tenantId } = principal;
    if (!watch.knows())
      throw unavailable('The token cannot be checked: the accounts service does not answer');
    if (watch.changedSince('session', sessionId, accessSeq)) throw endedSession();
    // A refresh finds out the outcome: other claims, or no session any more.
    const isOld =
      expiresAtMs <= clock.now() ||
      watch.changedSince('user', userId, accessSeq) ||
      watch.changedSince('tenant', tenantId, accessSeq);
    if (isOld) throw expiredToken();
    return principal;
  }

  return (token: string): SignedIn | Promise<SignedIn> => {
    const claims = recent.get(token);
    return claims instanceof Promise ? claims.then(principalOf) : principalOf(claims);
  };
}
