import { setTimeout as after } from 'node:timers/promises';

type Whose = 'guest' | 'host';

export interface CallTimer {
  /** From now on the time of this one counts. */
  turnTo(whose: Whose): void;
  stop(): void;
}

export interface TimedCall {
  /** Milliseconds. */
  limitMs: number;
  /** Milliseconds that the guest has worked or slept in this call; `Infinity` where nobody can tell. */
  workedMs(): Promise<number>;
  isOver(whose: Whose): void;
}

/** How many times its limit a guest may take while a busy machine lets it wait. */
const PATIENCE = 4;
/** Milliseconds between two looks at how much it has worked. */
const LOOK_MS = 10;

/**
 * Counts what a guest takes itself and, apart from that, what the host takes for it, with the same limit for each: a slow host is not the
 * guest's fault, and must not keep a caller waiting without end. A busy machine is not its fault either: it may take longer until it has
 * worked for as long as its limit.
 */
export function createCallTimer({ limitMs, workedMs, isOver }: TimedCall): CallTimer {
  const left = { guest: limitMs, host: limitMs };
  let patience = limitMs * (PATIENCE - 1);
  let whose: Whose = 'guest';
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;

  function count(next: Whose): void {
    whose = next;
    since = performance.now();
    turn += 1;
    const mine = turn;
    // An answer that arrived while this thread was busy itself is looked at first.
    timer = setTimeout(() => setImmediate(() => void expire(mine)), left[next]);
  }

  async function expire(mine: number): Promise<void> {
    if (mine !== turn) return;
    const more = whose === 'guest' ? await moreTime() : 0;
    if (mine !== turn) return;
    if (more === 0) return isOver(whose);
    patience -= performance.now() - since - left.guest + more;
    left.guest = more;
    count('guest');
  }

  /** A guest that does not let others ask what it has worked has no time left. */
  async function moreTime(): Promise<number> {
    const never = Number.POSITIVE_INFINITY;
    // A thread that is about to end rejects the question.
    const worked = await Promise.race([workedMs().catch(() => never), after(limitMs, never, { ref: false })]);
    if (worked >= limitMs || patience <= 0) return 0;
    return Math.min(Math.max(limitMs - worked, LOOK_MS), patience);
  }

  function stop(): void {
    clearTimeout(timer);
    turn += 1;
  }

  count('guest');
  return {
    turnTo(next) {
      stop();
      left[whose] = Math.max(left[whose] - (performance.now() - since), 0);
      count(next);
    },
    stop,
  };
}
