import type { Clock } from '../../kit/clock.ts';
import type { SyncError } from './sync.contract.ts';

export interface SyncPauses {
  /** After a successful round. */
  betweenMs: number;
  /** After a hint, so that several changes in a row share a round. */
  hintMs: number;
  /** After a failure; doubles with each further one. */
  failureMs: number;
  longestMs: number;
}

export const SYNC_PAUSES: SyncPauses = {
  betweenMs: 30_000,
  hintMs: 500,
  failureMs: 5_000,
  longestMs: 5 * 60_000,
};

/** Only the user can fix these; asking again soon is useless. */
const NEEDS_SOMEBODY = new Set(['signed_out', 'payment_required', 'forbidden']);

const JITTER = 0.2;

/** Milliseconds after a failed round; `failures` counts it and those right before it. */
export function pauseAfter(
  { code, retry_after = 0 }: SyncError,
  failures: number,
  { failureMs, longestMs }: Pick<SyncPauses, 'failureMs' | 'longestMs'> = SYNC_PAUSES,
): number {
  const grown = failureMs * 2 ** Math.min(failures - 1, 16);
  const delay = NEEDS_SOMEBODY.has(code) ? longestMs : Math.min(grown, longestMs);
  // Jitter: installations that lost the same replica must not all come back at once.
  return Math.max(retry_after * 1000, delay * (1 + JITTER * (Math.random() - 0.5)));
}

/** Decides when periodic rounds run: regularly, sooner after a hint, later with each failure. */
export function createSchedule({ clock, pauses }: { clock: Clock; pauses: SyncPauses }, round: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let nextAt: number | null = null;
  let failures = 0;
  let isOn = false;
  /** A hint arrived that the running round may already have missed. */
  let isHinted = false;

  function at(delayMs: number): void {
    clearTimeout(timer);
    nextAt = clock.now() + delayMs;
    timer = setTimeout(() => {
      nextAt = null;
      round();
    }, delayMs).unref();
  }

  function delayAfter(error: SyncError | null): number {
    failures = error === null ? 0 : failures + 1;
    if (error !== null) return pauseAfter(error, failures, pauses);
    return isHinted ? pauses.hintMs : pauses.betweenMs;
  }

  return {
    isOn: (): boolean => isOn,
    nextAt: (): number | null => nextAt,
    start(): void {
      isOn = true;
      failures = 0;
      at(0);
    },
    stop(): void {
      isOn = false;
      nextAt = null;
      clearTimeout(timer);
    },
    /** News may be waiting; has no effect on the delay after failures. */
    hint(): void {
      isHinted = true;
      if (isOn && failures === 0) at(pauses.hintMs);
    },
    /** A round begins and covers all hints so far. */
    began(): void {
      isHinted = false;
    },
    after(error: SyncError | null): void {
      const delay = delayAfter(error);
      if (isOn) at(delay);
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
