/** The same day and time of day some months later, or the last day of a shorter month. In UTC. */
export function addMonths(anchorMs: number, months: number): number {
  const anchor = new Date(anchorMs);
  const first = new Date(Date.UTC(anchor.getUTCFullYear(), anchor.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return (
    first.getTime() +
    (anchorMs - Date.UTC(anchor.getUTCFullYear(), anchor.getUTCMonth(), anchor.getUTCDate()))
  );
}

export interface Month {
  startMs: number;
  endMs: number;
}

/** The month, counted from the anchor, in which a time lies. */
export function monthAt(anchorMs: number, atMs: number): Month {
  const [anchor, at] = [new Date(anchorMs), new Date(atMs)];
  const years = at.getUTCFullYear() - anchor.getUTCFullYear();
  let months = years * 12 + at.getUTCMonth() - anchor.getUTCMonth();
  if (addMonths(anchorMs, months) > atMs) months -= 1;
  return { startMs: addMonths(anchorMs, months), endMs: addMonths(anchorMs, months + 1) };
}

export const DAY_MS = 24 * 3_600_000;

/** Where a period ends that begins then: a month's end by the anchor, unless that is less than a day away. */
export function endOfPeriod(anchorMs: number, startMs: number): number {
  const { endMs } = monthAt(anchorMs, startMs);
  return endMs - startMs > DAY_MS ? endMs : monthAt(anchorMs, endMs).endMs;
}
