/** Work that continues for an owner while nobody waits for it. */
export function createBackground<Owner>() {
  const running = new Map<Promise<unknown>, Owner>();
  return {
    add(owner: Owner, work: Promise<unknown>): void {
      const over = () => void running.delete(work);
      running.set(work, owner);
      work.then(over, over);
    },
    isBusy: (owner: Owner): boolean => running.values().some((each) => each === owner),
    /** Without an owner it waits for everybody's work. */
    async idle(owner?: Owner): Promise<void> {
      const works = [...running].filter(([, each]) => owner === undefined || each === owner);
      await Promise.allSettled(works.map(([work]) => work));
    },
  };
}
