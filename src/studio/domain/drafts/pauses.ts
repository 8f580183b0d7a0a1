const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** 1, 2, 4 … 60 s, each between half and all of it at random, so that clients do not come back at once. */
export function pauseMs(failures: number, random: number, retryAfterSeconds = 0): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(retryAfterSeconds * 1_000, Math.round(whole * (0.5 + random / 2)));
}

const AFTER_LAST_CHANGE_MS = 1_500;
const AFTER_FIRST_CHANGE_MS = 10_000;

/** When a draft is saved: soon after the last change, and in time while changes go on. */
export const dueAt = (firstChangeAt: number, lastChangeAt: number): number =>
  Math.min(lastChangeAt + AFTER_LAST_CHANGE_MS, firstChangeAt + AFTER_FIRST_CHANGE_MS);
