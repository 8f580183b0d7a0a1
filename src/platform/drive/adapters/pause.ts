import { setTimeout as delay } from 'node:timers/promises';

/** One pause of many requests; the longest one that was begun counts. */
export function createPause() {
  let running: Promise<unknown> = Promise.resolve();
  return {
    begin(milliseconds: number): void {
      running = Promise.all([running, delay(milliseconds)]);
    },
    async over(): Promise<void> {
      for (let awaited: Promise<unknown> | null = null; awaited !== running; ) {
        awaited = running;
        await awaited;
      }
    },
  };
}
