import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.ts';

/** The longest reply time of `/health`, in milliseconds, until the work is done. */
export async function slowestHealth(service: Service, work: Promise<unknown>): Promise<number> {
  let running = true;
  const ended = work.finally(() => {
    running = false;
  });
  let slowest = 0;
  while (running) {
    const started = performance.now();
    await fetch(`${service.url}/health`).then((reply) => reply.text());
    slowest = Math.max(slowest, performance.now() - started);
    await sleep(5);
  }
  await ended;
  return slowest;
}
