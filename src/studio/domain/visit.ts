/** When somebody was in a world: now, and before this visit. In milliseconds. */
export interface Visit {
  seen: number;
  /** The end of the visit before; null on the first one. */
  before: number | null;
}

/** After a longer absence a new visit begins. */
const ABSENCE_MS = 30 * 60_000;

export function visitAt(now: number, kept: Visit | null): Visit {
  if (kept === null) return { seen: now, before: null };
  return { seen: now, before: now - kept.seen > ABSENCE_MS ? kept.seen : kept.before };
}
