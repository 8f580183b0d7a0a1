/** More than this many deletions are always a mass. */
export const MOST_AT_ONCE = 50;
/** More than this share of all is a mass as well. */
export const MOST_SHARE = 0.3;
/** A single one is no mass, however few there are. */
const NEVER_A_MASS = 1;
/** So few that come apart are somebody tidying up, however small the world is. */
const FEW_APART = 10;
/** Deletions that follow each other within this time count together. */
const AT_ONCE_MS = 60_000;

/** Whether so many deletions at once are to be confirmed by somebody first. */
export const isMassDeletion = (deletions: number, of: number): boolean =>
  deletions > MOST_AT_ONCE || (deletions > NEVER_A_MASS && deletions > of * MOST_SHARE);

/** A mass of deletions: how many there are with those of a moment before, and of how many. */
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
    /** What these deletions add up to if that is too much; null if not. `present` says how many exist, these included. */
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
    /** What somebody confirmed counts no more. */
    settle: (): void => recent.clear(),
    isIdle(): boolean {
      forgetOld();
      return recent.size === 0;
    },
  };
}

export type DeletionGuard = ReturnType<typeof createDeletionGuard>;
