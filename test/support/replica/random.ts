/** Determined by the seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** Less than `below`. */
    integer: (below: number): number => Math.floor(next() * below),
    chance: (share: number): boolean => next() < share,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}

export type Random = ReturnType<typeof createRandom>;

/** Draws from `script`, but within `apart` from a stream of its own, so that how much is drawn there changes nothing after it. */
export function createStreams(script: Random) {
  let now = script;
  const random: Random = {
    integer: (below) => now.integer(below),
    chance: (share) => now.chance(share),
    pick: (items) => now.pick(items),
  };
  async function apart<Done>(work: () => Promise<Done>): Promise<Done> {
    now = createRandom(script.integer(2 ** 32));
    try {
      return await work();
    } finally {
      now = script;
    }
  }
  return { random, apart };
}
