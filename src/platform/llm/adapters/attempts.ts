import { setTimeout as delay } from 'node:timers/promises';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { LlmLimits } from '../limits.ts';
import type { LlmError, ModelAddress } from '../llm.ts';
import { isPassing, toLlmError } from './failures.ts';
import { createGuardedCall, type GuardedCall } from './guarded-fetch.ts';

const MOST_ATTEMPTS = 3;

export interface AttemptOptions {
  outgoing: Outgoing;
  limits: LlmLimits;
  address: ModelAddress;
  signal: AbortSignal;
}

/**
 * Works until an attempt succeeds or its failure is not a passing one. Resolves with the call still open; rejects with an
 * LlmError, or the signal's reason.
 */
export async function attempt<Result>(
  options: AttemptOptions,
  work: (call: GuardedCall) => Promise<Result>,
): Promise<{ result: Result; call: GuardedCall }> {
  const { outgoing, limits, signal } = options;
  const endsAt = performance.now() + limits.totalMs;
  for (let count = 1; ; count += 1) {
    signal.throwIfAborted();
    const leftMs = endsAt - performance.now();
    const call = createGuardedCall({ outgoing, limits, leftMs, signal });
    try {
      return { result: await work(call), call };
    } catch (error) {
      call.end();
      const failure = failureOf(error, call, options);
      const waitMs = failure.retryAfterMs ?? limits.repeatMs * 2 ** (count - 1);
      const isOver = count === MOST_ATTEMPTS || waitMs > Math.min(limits.retryAfterMs, leftMs);
      if (isOver || !isPassing(error, failure)) throw failure;
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Throws the signal's reason if the caller ended the call. */
export function failureOf(
  error: unknown,
  call: GuardedCall,
  { address, signal }: Pick<AttemptOptions, 'address' | 'signal'>,
): LlmError {
  signal.throwIfAborted();
  return call.failure() ?? toLlmError(error, address);
}
