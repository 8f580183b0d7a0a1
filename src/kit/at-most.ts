import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when the work settles, whether well or not, or after the time; keeps no process alive. */
export const atMost = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  await Promise.race([work.catch(() => {}), delay(milliseconds, undefined, { ref: false })]);
};
