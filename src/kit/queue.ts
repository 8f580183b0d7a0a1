export interface QueueOptions {
  atOnce: number;
  mostWaiting: number;
  whenFull: () => Error;
}

/** Runs costly work a few at a time, first come first served, so that other work keeps its share of the machine. */
export function createQueue({ atOnce, mostWaiting, whenFull }: QueueOptions) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw whenFull();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export interface FairQueueOptions extends QueueOptions {
  /** How many works of one owner may run or wait for their turn; its others wait for these. */
  ofOwner: Pick<QueueOptions, 'atOnce' | 'mostWaiting'>;
}

/** A queue in which no owner can take the places of all others. */
export function createFairQueue({ ofOwner, ...options }: FairQueueOptions) {
  const inTurn = createQueue(options);
  const owners = new Map<string, { queue: ReturnType<typeof createQueue>; works: number }>();
  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    const own = owners.get(owner) ?? { queue: createQueue({ ...options, ...ofOwner }), works: 0 };
    owners.set(owner, own);
    own.works += 1;
    try {
      return await own.queue(() => inTurn(work));
    } finally {
      own.works -= 1;
      if (own.works === 0) owners.delete(owner);
    }
  };
}
