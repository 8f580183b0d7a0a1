import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from './service-process.ts';

export type Answer = Pick<Response, 'status' | 'headers'>;

const AT_ONCE = 50;
/** Generous, since the machine may be busy: only a hanging service shall fail. */
const PATIENCE_MS = 20_000;
const ASK_EVERY_MS = 10;

/**
 * Sends fifty at once and asks for `/health` meanwhile: it must always answer 200, and the process must stay below `most`
 * (MB).
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

/** True if refused for lack of room, with a time to come again. */
export const isRefusal = ({ status, headers }: Answer): boolean =>
  (status === 429 || status === 503) && /^\d+$/.test(headers.get('retry-after') ?? '');
