import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from './service-process.ts';

export type Answer = Pick<Response, 'status' | 'headers'>;

const AT_ONCE = 50;
/** Long enough for a machine that is busy with much else: a service that hangs shall fail, a slow one shall not. */
const PATIENCE_MS = 20_000;
const ASK_EVERY_MS = 10;

/**
 * Sends fifty at once, each by its number, and asks for `/health` while they are worked on: every answer of it is 200, and
 * the process never had more than `most` (MB).
 */
export async function flood(service: ServiceProcess, sendOne: (index: number) => Promise<Answer>) {
  let most = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      await requireHealth(service);
      most = Math.max(most, residentMegabytes(service));
      await pause(ASK_EVERY_MS);
    }
  };
  const answered = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => sendOne(index)));
  const [answers] = await Promise.all([
    answered.finally(() => {
      isOver = true;
    }),
    watch(),
  ]);
  return { answers, most };
}

async function requireHealth({ url }: ServiceProcess): Promise<void> {
  const reply = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  await reply.arrayBuffer();
  assert.equal(reply.status, 200, '/health during the flood');
}

const residentMegabytes = ({ process: { pid } }: ServiceProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Whether it was refused for want of room, and told when to come again. */
export const isRefusal = ({ status, headers }: Answer): boolean =>
  (status === 429 || status === 503) && /^\d+$/.test(headers.get('retry-after') ?? '');
