import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { VerifyingKeys } from '../auth/token-keys.ts';
import type { AccountsPort } from './accounts-port.ts';

/** Keys are read again when they are older, so that a withdrawn one falls out. */
const OLDEST_MS = 5 * 60_000;
/** Whatever key ids callers invent, the accounts service is asked no more often. */
const BETWEEN_MS = 3_000;
/** One of several accounts processes may know of a new key some seconds later than the one that signs with it. */
const READS_FOR_UNKNOWN = 3;

export interface RemoteKeysOptions {
  accounts: Pick<AccountsPort, 'keys'>;
  clock: Clock;
  log: Log;
}

/** The keys that the accounts service publishes. Those that were read are kept while it is away. */
export function createRemoteKeys({ accounts, clock, log }: RemoteKeysOptions): VerifyingKeys {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readInTurn(): Promise<void> {
    const early = askedAtMs + BETWEEN_MS - clock.now();
    if (early > 0) await sleep(early, undefined, { ref: false });
    askedAtMs = clock.now();
    keys = keysIn(await accounts.keys());
    readAtMs = clock.now();
  }

  const read = (): Promise<void> => {
    reading ??= readInTurn().finally(() => {
      reading = null;
    });
    return reading;
  };

  async function find(kid: string): Promise<KeyObject | null> {
    for (let round = 0; round < READS_FOR_UNKNOWN; round += 1) {
      await read();
      const found = keys.get(kid);
      if (found) return found;
    }
    return null;
  }

  return {
    algorithm: 'EdDSA',
    async verifying(kid) {
      if (kid === undefined) return null;
      const known = keys.get(kid);
      if (!known) return find(kid);
      if (clock.now() - readAtMs > OLDEST_MS)
        void read().catch((error: unknown) =>
          log.warn(`the keys of the accounts service cannot be read anew: ${messageOf(error)}`),
        );
      return known;
    },
  };
}

function keysIn({ keys }: { keys: Record<string, unknown>[] }): Map<string, KeyObject> {
  const ours = keys.filter(
    ({ kid, kty, crv }) => typeof kid === 'string' && kty === 'OKP' && crv === 'Ed25519',
  );
  return new Map(
    ours.map((jwk) => [String(jwk.kid), createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })]),
  );
}
