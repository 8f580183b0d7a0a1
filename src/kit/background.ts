/** Work that continues for an owner while nobody waits for it. */
export function createBackground<Owner>() {
  const running = new Map<Promise<unknown>, Owner>();
  return {
    /** Keeps track of the work until it succeeds or fails. */
    add(owner: Owner, work: Promise<unknown>): void {
      const over = () => void running.delete(work);
      running.set(work, owner);
      work.then(over, over);
    },
    isBusy: (owner: Owner): boolean => running.values().some((each) => each === owner),
    /** Resolves when the owner's current work, or everybody's, is over. */
    async idle(owner?: Owner): Promise<void> {
      const works = [...running].filter(([, each]) => owner === undefined || each === owner);
      await Promise.allSettled(works.map(([work]) => work));
    },
  };
}
