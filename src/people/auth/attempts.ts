import { sha256Hex } from '../../kit/crypto.ts';
import { HttpError } from '../../kit/errors.ts';
import { type RateLimit, rateHeaders } from '../../kit/http/rate-limit.ts';
import { subscriberOf } from '../../kit/rate-limit.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';

/** Attempts are counted per purpose: guessing passwords must not block requests for a mail. */
export type AttemptPurpose = 'sign-in' | 'mail' | 'password';

/** Counts attempts at an account from any address; throws 429 after too many. */
export type CountAttempt = (purpose: AttemptPurpose, account: string) => Promise<void>;

/** Milliseconds for which an address counts as known after a successful sign-in. */
const KNOWN_MS = 30 * 24 * 3_600_000;

export interface Attempts {
  count: CountAttempt;
  /** Counts a sign-in attempt. Known addresses of the account count separately, so that strangers cannot lock the owner out. */
  countSignIn(account: string, address: string): Promise<void>;
  /** Records that the account's owner used this address: a password, or a token from a mail, was right. */
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
      // While the store is away no address is known, and all attempts count together.
      const known = await keyValue.get(knownKey(account, address)).catch(() => undefined);
      if (known === undefined) return count('sign-in', account);
      return countAs(`sign-in at ${placeOf(account, address)}`);
    },
    noteOwner: (account, address) =>
      keyValue.set(knownKey(account, address), '1', { ttlMs: KNOWN_MS }).catch(() => undefined),
  };
}
