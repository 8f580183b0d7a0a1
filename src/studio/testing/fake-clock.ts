import type { Timers } from '../data/drafts/entity-api.ts';

export type FakeClock = Timers & {
  advance(ms: number): Promise<void>;
  /** Nothing else runs meanwhile, as during long work. */
  pass(ms: number): void;
  settle(): Promise<void>;
};

/** Time passes only by `advance`, which lets everything that is due run to its end. */
export function createFakeClock(): FakeClock {
  let time = 1_000;
  let waiting: { at: number; work: () => void }[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => time,
    after(ms, work) {
      const entry = { at: time + ms, work };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    settle,
    pass(ms) {
      time += ms;
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!next) break;
        waiting = waiting.filter((each) => each !== next);
        time = Math.max(time, next.at);
        next.work();
        await settle();
      }
      time = end;
    },
  };
}
