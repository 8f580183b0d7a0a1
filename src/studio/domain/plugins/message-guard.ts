/** Messages a second that a page may send. */
export const MOST_A_SECOND = 50;

/** Milliseconds of a second that the messages of a page may take. */
export const LONGEST_BUSY_MS = 300;

/** A page that goes on for so many seconds to send or to cost more is stopped. */
const LONGEST_FLOOD_SECONDS = 10;

const SECOND_MS = 1_000;

export type Verdict = 'take' | 'drop' | 'stop';

interface MessageCost {
  /** To read and to follow it. */
  ms: number;
  isTooLarge: boolean;
}

/**
 * Counts the messages of a page and what they cost, and says of each what becomes of it before it is read. What is slow
 * is not dropped, since nobody answers a call that is dropped; it only counts as a flood.
 */
export function createMessageGuard(now: () => number) {
  let second = Number.NEGATIVE_INFINITY;
  let count = 0;
  let busyMs = 0;
  let wasTooLarge = false;
  let flooded = 0;

  /** How long the last second with messages was a flood. A slow message may have made it longer than a second. */
  function floodSeconds(): number {
    const isFlood = count > MOST_A_SECOND || busyMs > LONGEST_BUSY_MS || wasTooLarge;
    return isFlood ? Math.max(1, Math.round(busyMs / SECOND_MS)) : 0;
  }

  function begin(next: number): void {
    const more = floodSeconds();
    const quiet = Math.max(0, next - second - more);
    flooded = Math.max(0, flooded + more - quiet);
    second = next;
    count = 0;
    busyMs = 0;
    wasTooLarge = false;
  }

  return {
    judge(): Verdict {
      const present = Math.floor(now() / SECOND_MS);
      if (present !== second) begin(present);
      count += 1;
      if (flooded >= LONGEST_FLOOD_SECONDS) return 'stop';
      return count > MOST_A_SECOND ? 'drop' : 'take';
    },
    /** After a message that was taken. */
    addCost({ ms, isTooLarge }: MessageCost): void {
      busyMs += ms;
      wasTooLarge ||= isTooLarge;
    },
  };
}

/** Allows something so many times within a time, and no more until some of it has passed. */
export function createPace(now: () => number, { most, withinMs }: { most: number; withinMs: number }) {
  let times: number[] = [];
  return (): boolean => {
    const from = now() - withinMs;
    times = times.filter((at) => at > from);
    if (times.length >= most) return false;
    times.push(now());
    return true;
  };
}
