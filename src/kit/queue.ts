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
