export interface TallyOptions<Item, Key> {
  keyOf: (item: Item) => Key;
  mostOfEach?: number;
  most?: number;
}

const ALL = Number.POSITIVE_INFINITY;

/** Counts items by key and keeps the first ones. */
export function createTally<Item, Key>({ keyOf, mostOfEach = ALL, most = ALL }: TallyOptions<Item, Key>) {
  const kept: Item[] = [];
  const counts = new Map<Key, number>();
  let total = 0;
  return {
    kept,
    counts,
    total: (): number => total,
    /** The number of items with this one's key. */
    likeOf: (item: Item): number => counts.get(keyOf(item)) ?? 0,
    /** True if the item is kept. */
    add(item: Item): boolean {
      const key = keyOf(item);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      total += 1;
      const isKept = count <= mostOfEach && kept.length < most;
      if (isKept) kept.push(item);
      return isKept;
    },
  };
}
