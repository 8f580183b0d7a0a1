import { type Clock, isoTime } from '../../kit/clock.ts';
import { createRecent } from '../../kit/recent.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Database } from '../../platform/database/database.ts';
import { type KeyRing, keyRingOf, newKeyRow, type PublicJwk, type SigningKey } from './key-ring.ts';
import { createSigningKeyStore } from './signing-keys.store.ts';

/** A rotation by another process counts within this time; until then this one signs with the key before. */
const RECHECK_MS = 5_000;
/** The same for who asks for the keys; anybody may, so it is not asked each time. */
const PUBLISHED_MS = 1_000;
/** Longer than any token that a key signed is good, clocks that differ included. */
const KEPT_RETIRED_MS = 3_600_000;
/** A key that is older is replaced when it is next to sign. */
const OLDEST_MS = 90 * 24 * 3_600_000;
const RING = 'ring';

/** The keys that sign access tokens: one signs, and those before it are known until their last token has run out. */
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
  const isWorn = (key: SigningKey | null) => key === null || key.createdAtMs <= clock.now() - OLDEST_MS;
  const recent = createRecent<KeyRing>({
    clock,
    forMs: RECHECK_MS,
    most: 1,
    load: async () => keyRingOf(await store.list(retiredAfter()), box),
  });
  async function freshRing(): Promise<KeyRing> {
    recent.forget(() => true);
    return recent.get(RING);
  }
  const published = createRecent<KeyRing>({ clock, forMs: PUBLISHED_MS, most: 1, load: freshRing });
  const ring = async (): Promise<KeyRing> => recent.get(RING);

  /** Makes a new key unless `isNeeded` finds, with the lock held, that somebody else did. */
  const replace = (isNeeded: (current: SigningKey | null) => boolean): Promise<void> =>
    database.system.exclusive('signing keys', async () => {
      if (!isNeeded((await freshRing()).current)) return;
      await store.replace(newKeyRow(box, clock.now()), retiredAfter());
      await freshRing();
    });

  async function signing(): Promise<SigningKey> {
    if (isWorn((await ring()).current)) await replace(isWorn);
    const { current } = await ring();
    if (current === null) throw new Error('there is no key to sign with');
    return current;
  }

  return {
    /** The key that signs now; the first is made when it is first asked for. */
    signing,

    /** The public key of that id; null for one that is not ours or past use. */
    async verifying(kid: string) {
      const known = (await ring()).publicKeys.get(kid);
      return known ?? (await freshRing()).publicKeys.get(kid) ?? null;
    },

    /** Other surfaces ask for it when they meet a new key, which another process may have made a moment ago. */
    async jwks(): Promise<PublicJwk[]> {
      return [...(await published.get(RING)).jwks];
    },

    /** Lets a new key sign from now on; tokens of the one before stay good. Answers the new key's id. */
    async rotate(): Promise<string> {
      await replace(() => true);
      return (await signing()).kid;
    },
  };
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;
