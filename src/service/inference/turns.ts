import { type Clock, isoTime } from '../../kit/clock.ts';
import { LlmError } from '../../platform/llm/llm.ts';

export type Pressure = 'normal' | 'high' | 'critical';

export interface TurnsOptions {
  /** Without pressure. */
  atOnce: number;
  clock: Clock;
  /** How long a request waits for its turn. */
  patienceMs?: number;
}

const PATIENCE_MS = 20_000;
const RETRY_AFTER_MS = 5_000;
const PRESSURE_S = 60;
const MOST_WAITING = 500;
const HIGH_PART = 4;

/** Requests to models a few at a time, fewer while graphics memory is short; one is always served. */
export function createTurns({ atOnce, clock, patienceMs = PATIENCE_MS }: TurnsOptions) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let lowered: { most: number; untilMs: number } | null = null;
  let lease: NodeJS.Timeout | undefined;

  const most = (): number => (lowered && lowered.untilMs > clock.now() ? lowered.most : atOnce);
  function startNext(): void {
    while (running < most()) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next();
    }
  }
  const release = (): void => {
    running -= 1;
    startNext();
  };

  return {
    /** Resolves with the end of the turn. Rejects after a bounded wait. */
    async take(signal: AbortSignal): Promise<() => void> {
      if (waiting.length >= MOST_WAITING) throw allTaken();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (reason: unknown) => {
        const at = waiting.indexOf(resolve);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(reason);
      };
      const gone = () => leave(signal.reason);
      signal.addEventListener('abort', gone);
      const timer = setTimeout(() => leave(allTaken()), patienceMs);
      waiting.push(resolve);
      startNext();
      await promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
      });
      return release;
    },

    /** Holds for a lease, so that a report whose end is lost stops nothing for good. */
    lower(level: Pressure, seconds = PRESSURE_S): { max_concurrent: number; until: string | null } {
      clearTimeout(lease);
      const untilMs = clock.now() + seconds * 1_000;
      lowered =
        level === 'normal'
          ? null
          : { untilMs, most: level === 'critical' ? 1 : Math.max(1, Math.floor(atOnce / HIGH_PART)) };
      if (lowered) lease = setTimeout(startNext, seconds * 1_000 + 1).unref();
      startNext();
      return { max_concurrent: most(), until: lowered && isoTime(untilMs) };
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;

const allTaken = () => new LlmError('busy', 'All turns of the AI surface are taken', RETRY_AFTER_MS);
