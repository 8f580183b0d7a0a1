import { cpuSecondsOf } from './child.ts';
import { median } from './rounds.ts';

/**
 * A load that is run many times, `run` resolving to the answers per second, with the CPU time that a process takes for an
 * answer: that says the same on a machine that has other things to do.
 */
export function metered(pid: number, seconds: number, run: () => Promise<number>) {
  const microseconds: number[] = [];
  return {
    async run(): Promise<number> {
      const before = cpuSecondsOf(pid);
      const perSecond = await run();
      microseconds.push(((cpuSecondsOf(pid) - before) * 1e6) / (perSecond * seconds));
      return perSecond;
    },
    /** The median of an answer. */
    microseconds: () => median(microseconds),
  };
}
