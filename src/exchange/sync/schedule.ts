import type { Clock } from '../../kit/clock.ts';
import type { SyncError } from './sync.contract.ts';

export interface SyncPauses {
  /** Between rounds that went well. */
  betweenMs: number;
  /** After a hint, so that several changes in a row go together. */
  hintMs: number;
  /** After a failure; twice as long after each one that follows. */
  failureMs: number;
  longestMs: number;
}

export const SYNC_PAUSES: SyncPauses = {
  betweenMs: 30_000,
  hintMs: 500,
  failureMs: 5_000,
  longestMs: 5 * 60_000,
};

/** Somebody has to do something first; asking again soon is of no use. */
const NEEDS_SOMEBODY = new Set(['signed_out', 'payment_required', 'forbidden']);

const JITTER = 0.2;

/** When rounds come by themselves: after a pause, sooner after a hint, later the more of them failed. */
export function createSchedule({ clock, pauses }: { clock: Clock; pauses: SyncPauses }, round: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let nextAt: number | null = null;
  let failures = 0;
  let isOn = false;
  /** There may be news that no round has looked for yet; the one that runs may be past them. */
  let isHinted = false;

  function at(delayMs: number): void {
    clearTimeout(timer);
    nextAt = clock.now() + delayMs;
    timer = setTimeout(() => {
      nextAt = null;
      round();
    }, delayMs).unref();
  }

  function delayAfter(error: SyncError | null, retryAfterMs: number): number {
    failures = error === null ? 0 : failures + 1;
    if (error === null) return isHinted ? pauses.hintMs : pauses.betweenMs;
    const grown = pauses.failureMs * 2 ** Math.min(failures - 1, 16);
    const delay = NEEDS_SOMEBODY.has(error.code) ? pauses.longestMs : Math.min(grown, pauses.longestMs);
    // Installations that lost the same cloud do not all come back in the same moment.
    return Math.max(retryAfterMs, delay * (1 + JITTER * (Math.random() - 0.5)));
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
    /** A round may be worth while; one that waits after failures keeps waiting. */
    hint(): void {
      isHinted = true;
      if (isOn && failures === 0) at(pauses.hintMs);
    },
    /** A round begins, which will find whatever was hinted at before. */
    began(): void {
      isHinted = false;
    },
    after(error: SyncError | null, retryAfterMs: number): void {
      const delay = delayAfter(error, retryAfterMs);
      if (isOn) at(delay);
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
