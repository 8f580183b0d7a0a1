/** Mutual exclusion by key within one process, first come first served. */
export function createLocks() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    isHeld: (key: string): boolean => tails.has(key),
    /** Never waits. */
    async withFree<Result>(
      keys: readonly string[],
      work: (taken: string[]) => Promise<Result>,
    ): Promise<Result> {
      const taken = keys.filter((key) => !tails.has(key));
      const { promise: tail, resolve: release } = Promise.withResolvers<void>();
      for (const key of taken) tails.set(key, tail);
      try {
        return await work(taken);
      } finally {
        release();
        for (const key of taken) if (tails.get(key) === tail) tails.delete(key);
      }
    },
    async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const before = tails.get(key);
      // Asynchronously: the work itself may check whether its key is held.
      const mine = (before ?? Promise.resolve()).then(work, work);
      const tail = mine.catch(() => {});
      tails.set(key, tail);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
