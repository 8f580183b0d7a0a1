import { cpuSecondsOf, mainThreadSecondsOf } from './child.ts';
import { median } from './rounds.ts';

/**
 * Repeats a load, whose `run` resolves to the replies per second, and measures the CPU time of a process per
 * reply, which depends less on how busy the machine is.
 */
export function metered(pid: number, seconds: number, run: () => Promise<number>) {
  const microseconds: number[] = [];
  const ofMainThread: number[] = [];
  return {
    async run(): Promise<number> {
      const before = cpuSecondsOf(pid);
      const mainBefore = mainThreadSecondsOf(pid);
      const perSecond = await run();
      const perReply = 1e6 / (perSecond * seconds);
      microseconds.push((cpuSecondsOf(pid) - before) * perReply);
      ofMainThread.push((mainThreadSecondsOf(pid) - mainBefore) * perReply);
      return perSecond;
    },
    microseconds: () => median(microseconds),
    /** The same of the main thread alone, which limits the rate. */
    mainThreadMicroseconds: () => median(ofMainThread),
  };
}
