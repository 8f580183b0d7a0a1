import { type Clock, isoTime } from '../../kit/clock.ts';
import { createRecent } from '../../kit/recent.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Database } from '../../platform/database/database.ts';
import { type KeyRing, keyRingOf, newKeyRow, type PublicJwk, type SigningKey } from './key-ring.ts';
import { createSigningKeyStore } from './signing-keys.store.ts';

/** Until a rotation by another process takes effect (milliseconds); meanwhile this one signs with the previous key. */
const RECHECK_MS = 5_000;
/** Anybody may request the published keys, so they are cached (milliseconds). */
const PUBLISHED_MS = 1_000;
/** Longer than the lifetime of any token that a key signed, including differences between clocks. */
const KEPT_RETIRED_MS = 3_600_000;
/** Age at which a key is replaced before it signs again. */
const OLDEST_MS = 90 * 24 * 3_600_000;
const RING = 'ring';

/** The keys that sign access tokens: one signs, and earlier ones stay known until their last token has expired. */
export function createSigningKeys({
  database,
  box,
  clock,
}: {
  database: Database;
  box: SecretBox;
  clock: Clock;
}) {
  const store = createSigningKeyStore(database.system);
  const retiredAfter = () => isoTime(clock.now() - KEPT_RETIRED_MS);
  const isTooOld = (key: SigningKey | null) => key === null || key.createdAtMs <= clock.now() - OLDEST_MS;
  const recent = createRecent<KeyRing>({
    clock,
    forMs: RECHECK_MS,
    most: 1,
    load: async () => keyRingOf(await store.list(retiredAfter()), box),
  });
  async function readRing(): Promise<KeyRing> {
    recent.forget(() => true);
    return recent.get(RING);
  }
  const published = createRecent<KeyRing>({ clock, forMs: PUBLISHED_MS, most: 1, load: readRing });
  const ring = async (): Promise<KeyRing> => recent.get(RING);

  /** Generates a key unless `isNeeded` finds, under the lock, that another process already did. */
  const replace = (isNeeded: (current: SigningKey | null) => boolean): Promise<void> =>
    database.system.exclusive('signing keys', async () => {
      if (!isNeeded((await readRing()).current)) return;
      await store.replace(newKeyRow(box, clock.now()), retiredAfter());
      await readRing();
    });

  async function signing(): Promise<SigningKey> {
    if (isTooOld((await ring()).current)) await replace(isTooOld);
    const { current } = await ring();
    if (current === null) throw new Error('there is no key to sign with');
    return current;
  }

  return {
    signing,

    /** The public key of that id; null if it is unknown or retired. */
    async verifying(kid: string) {
      const known = (await ring()).publicKeys.get(kid);
      return known ?? (await readRing()).publicKeys.get(kid) ?? null;
    },

    /** Other surfaces ask for this when they meet an unknown key, which another process may have just generated. */
    async jwks(): Promise<PublicJwk[]> {
      return [...(await published.get(RING)).jwks];
    },

    /** Makes a new key sign from now on; tokens of the previous one stay valid. Returns the new key's id. */
    async rotate(): Promise<string> {
      await replace(() => true);
      return (await signing()).kid;
    },
  };
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;
