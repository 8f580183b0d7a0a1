/** Written as 16 hex digits. */
const BITS = 64;
export const MOST_DISTANCE = 10;

interface Hash {
  high: number;
  low: number;
}

const parse = (hex: string): Hash => ({
  high: Number.parseInt(hex.slice(0, 8), 16) | 0,
  low: Number.parseInt(hex.slice(8), 16) | 0,
});

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const distanceOf = (one: Hash, other: Hash): number =>
  ones(one.high ^ other.high) + ones(one.low ^ other.low);

function band({ high, low }: Hash, from: number, to: number): number {
  let value = 0;
  for (let bit = from; bit < to; bit += 1)
    value = value * 2 + (((bit < 32 ? high : low) >>> (31 - (bit % 32))) & 1);
  return value;
}

/**
 * Each hash of a group is within `distance` bits of another one; single ones are left out. Two hashes that differ in at
 * most `distance` bits agree in at least one of `distance + 1` bands, so only those that share a band are compared. `pause`
 * is called between parts of the work.
 */
export async function similarGroups(
  hashes: readonly string[],
  distance: number,
  pause: () => Promise<void> | void,
): Promise<string[][]> {
  const distinct = [...new Set(hashes)];
  const parsed = distinct.map(parse);
  const groups = createGroups(distinct.length);
  const bands = distance + 1;
  for (let number = 0; number < bands; number += 1) {
    const from = Math.floor((number * BITS) / bands);
    const to = Math.floor(((number + 1) * BITS) / bands);
    for (const bucket of bucketsBy(parsed, (hash) => band(hash, from, to))) {
      for (let at = 0; at < bucket.length; at += 1) {
        joinWithin(parsed, bucket, at, distance, groups);
        await pause();
      }
    }
  }
  return groups.list().map((indices) => indices.map((index) => distinct[index] ?? ''));
}

function bucketsBy(hashes: readonly Hash[], keyOf: (hash: Hash) => number): number[][] {
  const buckets = new Map<number, number[]>();
  hashes.forEach((hash, index) => {
    const key = keyOf(hash);
    const bucket = buckets.get(key);
    if (bucket) bucket.push(index);
    else buckets.set(key, [index]);
  });
  return [...buckets.values()].filter((bucket) => bucket.length > 1);
}

function joinWithin(
  hashes: readonly Hash[],
  bucket: readonly number[],
  at: number,
  distance: number,
  groups: ReturnType<typeof createGroups>,
): void {
  const one = bucket[at] ?? 0;
  const hash = hashes[one];
  for (let next = at + 1; hash && next < bucket.length; next += 1) {
    const other = bucket[next] ?? 0;
    const against = hashes[other];
    if (against && distanceOf(hash, against) <= distance) groups.join(one, other);
  }
}

function createGroups(size: number) {
  const parent = Int32Array.from({ length: size }, (_, index) => index);
  function find(index: number): number {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    for (let at = index; at !== root; ) {
      const next = parent[at] ?? root;
      parent[at] = root;
      at = next;
    }
    return root;
  }
  return {
    join(one: number, other: number): void {
      const [first, second] = [find(one), find(other)];
      parent[Math.max(first, second)] = Math.min(first, second);
    },
    list(): number[][] {
      const groups = new Map<number, number[]>();
      for (let index = 0; index < size; index += 1) {
        const root = find(index);
        groups.set(root, [...(groups.get(root) ?? []), index]);
      }
      return [...groups.values()].filter((group) => group.length > 1);
    },
  };
}
