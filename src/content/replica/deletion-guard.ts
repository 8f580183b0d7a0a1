/** More deletions are always a mass. */
export const MOST_AT_ONCE = 50;
/** A larger share of all is a mass as well. */
export const MOST_SHARE = 0.3;
/** A single deletion never is, however few there are. */
const NEVER_A_MASS = 1;
/** Up to this many deletions one after another are somebody tidying up, however small the world is. */
const FEW_APART = 10;
/** Deletions within this time count together. */
const AT_ONCE_MS = 60_000;

/** If true, the user has to confirm first. */
export const isMassDeletion = (deletions: number, of: number): boolean =>
  deletions > MOST_AT_ONCE || (deletions > NEVER_A_MASS && deletions > of * MOST_SHARE);

/** Includes deletions of the last minute; `of` is the number that existed before them. */
export interface MassDeletion {
  deletions: number;
  of: number;
}

/** However the deletions are spread over a minute. They are known by key, so that a retried one counts once. */
export function createDeletionGuard(now: () => number) {
  const recent = new Map<string, number>();

  function forgetOld(): void {
    const oldest = now() - AT_ONCE_MS;
    for (const [key, at] of recent) if (at < oldest) recent.delete(key);
  }

  return {
    /** Null if these, with those of the last minute, are no mass. `present` counts all that exist, these included. */
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
    /** After somebody confirmed. */
    settle: (): void => recent.clear(),
    isIdle(): boolean {
      forgetOld();
      return recent.size === 0;
    },
  };
}

export type DeletionGuard = ReturnType<typeof createDeletionGuard>;
