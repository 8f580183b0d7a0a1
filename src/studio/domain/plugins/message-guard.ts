/** Messages a second that a page may send. */
export const MOST_A_SECOND = 50;

/** A page that goes on for so many seconds to send more is stopped. */
const LONGEST_FLOOD_SECONDS = 10;

const SECOND_MS = 1_000;

export type Verdict = 'take' | 'drop' | 'stop';

/** Counts the messages of a page, and says of each what becomes of it. */
export function createMessageGuard(now: () => number): () => Verdict {
  let second = Number.NEGATIVE_INFINITY;
  let count = 0;
  let flooded = 0;

  function begin(next: number): void {
    const isNext = next === second + 1;
    flooded = isNext && count > MOST_A_SECOND ? flooded + 1 : 0;
    second = next;
    count = 0;
  }

  return () => {
    const present = Math.floor(now() / SECOND_MS);
    if (present !== second) begin(present);
    count += 1;
    if (flooded >= LONGEST_FLOOD_SECONDS) return 'stop';
    return count > MOST_A_SECOND ? 'drop' : 'take';
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
