import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { VerifyingKeys } from '../auth/index.ts';
import type { AccountsPort } from './accounts-port.ts';

/** Milliseconds after which keys are read again, so that a withdrawn one disappears. */
const OLDEST_MS = 5 * 60_000;
/** Milliseconds between two reads, however many key ids callers invent. */
const BETWEEN_MS = 3_000;
/** Milliseconds after a read that failed: whoever waits for keys is let in soon after the service is back. */
const AFTER_FAILURE_MS = 300;

export interface RemoteKeysOptions {
  accounts: Pick<AccountsPort, 'keys'>;
  clock: Clock;
  log: Log;
}

/** The keys that the accounts service publishes. Known keys stay valid while it is away. */
export function createRemoteKeys({ accounts, clock, log }: RemoteKeysOptions): VerifyingKeys {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  let failure: { error: unknown } | null = null;

  async function readNow(): Promise<void> {
    askedAtMs = clock.now();
    try {
      keys = keysIn(await accounts.keys());
      readAtMs = clock.now();
      failure = null;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }

  /** All waiting callers share one read. */
  const read = (): Promise<void> => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };

  async function find(kid: string): Promise<KeyObject | null> {
    const sinceMs = clock.now() - askedAtMs;
    if (reading !== null || sinceMs >= (failure === null ? BETWEEN_MS : AFTER_FAILURE_MS)) await read();
    else if (failure !== null) throw failure.error;
    return keys.get(kid) ?? null;
  }

  return {
    algorithm: 'EdDSA',
    async verifying(kid) {
      if (kid === undefined) return null;
      const known = keys.get(kid);
      if (!known) return find(kid);
      if (clock.now() - readAtMs > OLDEST_MS && clock.now() - askedAtMs >= BETWEEN_MS)
        void read().catch((error: unknown) =>
          log.warn(`the keys of the accounts service cannot be read again: ${messageOf(error)}`),
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
