/** More than this many deletions are always a mass. */
export const MOST_AT_ONCE = 50;
/** More than this share of all is a mass as well. */
export const MOST_SHARE = 0.3;
/** A single one is no mass, however few there are. */
const NEVER_A_MASS = 1;
/** Up to this many deletions one after another are somebody tidying up, however small the world is. */
const FEW_APART = 10;
/** Deletions that follow each other within this time count together. */
const AT_ONCE_MS = 60_000;

/** True if somebody has to confirm this number of deletions first. */
export const isMassDeletion = (deletions: number, of: number): boolean =>
  deletions > MOST_AT_ONCE || (deletions > NEVER_A_MASS && deletions > of * MOST_SHARE);

/** A mass of deletions, counted with those of the last minute, and the number that existed before them. */
export interface MassDeletion {
  deletions: number;
  of: number;
}

/**
 * Stops deletions that are too many within a minute, however they are spread over it. It knows them by their keys, so
 * that one that is tried again counts once.
 */
export function createDeletionGuard(now: () => number) {
  const recent = new Map<string, number>();

  function forgetOld(): void {
    const oldest = now() - AT_ONCE_MS;
    for (const [key, at] of recent) if (at < oldest) recent.delete(key);
  }

  return {
    /** The sum of these deletions and those of the last minute if it is a mass, else null. `present` counts all that exist, these included. */
    massOf(keys: readonly string[], present: number): MassDeletion | null {
      forgetOld();
      const together = new Set([...recent.keys(), ...keys]).size;
      const of = present + together - new Set(keys).size;
      const isMass =
        isMassDeletion(keys.length, present) || (together > FEW_APART && isMassDeletion(together, of));
      return keys.length > 0 && isMass ? { deletions: together, of } : null;
    },
    note(keys: readonly string[]): void {
      forgetOld();
      for (const key of keys) recent.set(key, now());
    },
    /** Forgets the deletions that somebody confirmed. */
    settle: (): void => recent.clear(),
    isIdle(): boolean {
      forgetOld();
      return recent.size === 0;
    },
  };
}

export type DeletionGuard = ReturnType<typeof createDeletionGuard>;
