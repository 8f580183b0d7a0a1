/** The usual constant of reciprocal rank fusion: the first few places count about the same. */
const K = 60;

/** Merges lists that are each best first, by the ranks of their items alone: scores of words and of meaning cannot be compared. */
export function fuseRanks<Key>(lists: readonly (readonly Key[])[]): Key[] {
  const sums = new Map<Key, number>();
  for (const list of lists)
    for (const [rank, key] of list.entries()) sums.set(key, (sums.get(key) ?? 0) + 1 / (K + rank + 1));
  return [...sums].sort(([, one], [, other]) => other - one).map(([key]) => key);
}
