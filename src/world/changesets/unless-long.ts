import { setTimeout as delay } from 'node:timers/promises';
import type { OperationReport } from './report.ts';

/** Hands the operation over to callers that poll it by id; null if it is already over or was removed. */
export type HandOver = () => Promise<OperationReport | null>;

export type Answer<Result> = { result: Result } | { operation: OperationReport; running: Promise<Result> };

/** The result if the work ends within `waitMs`; else its operation, once that can be polled (`begun`), while the work goes on. */
export async function unlessLong<Result>(
  waitMs: number,
  running: Promise<Result>,
  begun: Promise<HandOver>,
): Promise<Answer<Result>> {
  const over = running.then(
    () => null,
    () => null,
  );
  const timer = new AbortController();
  const waited = delay(waitMs, 'waited' as const, { signal: timer.signal }).catch(() => null);
  const first = await Promise.race([over, waited]);
  timer.abort();
  const handOver = first === null ? null : await Promise.race([over, begun]);
  const operation = await handOver?.();
  return operation ? { operation, running } : { result: await running };
}
