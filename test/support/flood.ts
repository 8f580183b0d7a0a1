import { readFileSync } from 'node:fs';
import { callerOf } from './service-client.ts';
import type { ServiceProcess } from './service-process.ts';

export type Answer = Pick<Response, 'status' | 'headers'>;

const AT_ONCE = 50;

/**
 * Sends fifty at once, and asks for `/health` while they are worked on: half of the answers took no longer than `usual`
 * (milliseconds), and the process never had more than `most` (MB).
 */
export async function flood(service: ServiceProcess, sendOne: () => Promise<Answer>) {
  const call = callerOf(service.url);
  const residentMegabytes = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024;
  const took: number[] = [];
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const from = performance.now();
      await call('GET', '/health');
      took.push(performance.now() - from);
      most = Math.max(most, residentMegabytes());
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, sendOne));
  isOver = true;
  await watching;
  took.sort((a, b) => a - b);
  return { answers, most, usual: took[Math.floor(took.length / 2)] ?? 0 };
}

/** Whether it was refused for want of room. */
export const isRefusal = ({ status }: Answer): boolean => status === 429 || status === 503;
