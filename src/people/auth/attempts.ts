import { sha256Hex } from '../../kit/crypto.ts';
import { HttpError } from '../../kit/errors.ts';
import { type RateLimit, rateHeaders } from '../../kit/http/rate-limit.ts';
import { subscriberOf } from '../../kit/rate-limit.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';

/** Tries of one purpose do not use up those of another: who tries passwords keeps nobody from asking for a mail. */
export type AttemptPurpose = 'sign-in' | 'mail' | 'password';

/** Counts tries at an account, whoever makes them from where; throws 429 when there were too many. */
export type CountAttempt = (purpose: AttemptPurpose, account: string) => Promise<void>;

/** How long an address is known for an account that somebody came into from there. */
const KNOWN_MS = 30 * 24 * 3_600_000;

export interface Attempts {
  count: CountAttempt;
  /**
   * Counts a try to sign in. Addresses that the account is known to be used from have tries of their own, so that
   * strangers who try passwords keep nobody out of their account.
   */
  countSignIn(account: string, address: string): Promise<void>;
  /** Notes that the owner of the account was at this address: a password was right, or a token of a mail. */
  noteOwner(account: string, address: string): Promise<void>;
}

export interface AttemptsOptions {
  rateLimit: RateLimit;
  keyValue: Pick<KeyValue, 'get' | 'set'>;
}

export function createAttempts({ rateLimit, keyValue }: AttemptsOptions): Attempts {
  async function countAs(key: string): Promise<void> {
    const decision = await rateLimit('login', key);
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

  const placeOf = (account: string, address: string) => sha256Hex(`${account}\n${subscriberOf(address)}`);
  const knownKey = (account: string, address: string) => `known-address:${placeOf(account, address)}`;
  const count: CountAttempt = (purpose, account) => countAs(`${purpose} ${sha256Hex(account)}`);

  return {
    count,
    async countSignIn(account, address) {
      // A store that is away knows nobody: then all tries count together.
      const known = await keyValue.get(knownKey(account, address)).catch(() => undefined);
      if (known === undefined) return count('sign-in', account);
      return countAs(`sign-in at ${placeOf(account, address)}`);
    },
    noteOwner: (account, address) =>
      keyValue.set(knownKey(account, address), '1', { ttlMs: KNOWN_MS }).catch(() => undefined),
  };
}
