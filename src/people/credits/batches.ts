/** The most that one transaction does. */
const LARGEST_BATCH = 64;

interface Waiting<Item> {
  item: Item;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** Runs what comes at once, or while a batch is running, together in the next batch. `run` returns the replies in the order of the items. */
export function createBatches<Item>(run: (items: readonly Item[]) => Promise<readonly unknown[]>) {
  const waiting: Waiting<Item>[] = [];
  let running: Promise<void> | null = null;

  async function runBatch(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      const replies = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(replies[index]);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    // Work that becomes ready in the same turn joins the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await runBatch(waiting.splice(0, LARGEST_BATCH));
    running = null;
  }

  return {
    add: (item: Item): Promise<unknown> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= drain();
      }),
    async idle(): Promise<void> {
      while (running) await running;
    },
  };
}
