/** Mutual exclusion by key within one process, first come first served. */
export function createLocks() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const before = tails.get(key);
      const mine = before === undefined ? work() : before.then(work, work);
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
