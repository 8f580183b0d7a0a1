import type { Interval } from './objects.ts';

const SECOND_MS = 1000;

/** The first end of a period after a time; periods are counted from the anchor, in seconds, on the calendar of UTC. */
export function periodEndAfter(anchor: number, interval: Interval, time: number): number {
  for (let count = 0; ; count += 1) {
    const end = plusMonths(anchor, count * (interval === 'year' ? 12 : 1));
    if (end > time) return end;
  }
}

/** A day that a month does not have becomes its last one. */
function plusMonths(anchor: number, months: number): number {
  const from = new Date(anchor * SECOND_MS);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return to.getTime() / SECOND_MS;
}
