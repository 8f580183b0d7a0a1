type Whose = 'guest' | 'host';

export interface CallTimer {
  /** From now on the time of this one counts. */
  turnTo(whose: Whose): void;
  stop(): void;
}

/**
 * Counts what a guest takes itself and, apart from that, what the host takes for it, with the same limit for each: a slow host is not the
 * guest's fault, and must not keep a caller waiting without end.
 */
export function createCallTimer(limitMs: number, isOver: (whose: Whose) => void): CallTimer {
  const left = { guest: limitMs, host: limitMs };
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
    timer = setTimeout(() => setImmediate(() => mine === turn && isOver(next)), left[next]);
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
