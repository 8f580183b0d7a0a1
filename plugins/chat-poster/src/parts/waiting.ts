import type { Batch, Change } from './message.ts';

/** The changes that were not posted yet, and the outcome of the last attempts. */
export interface Waiting extends Batch {
  changes: Change[];
  sentAt: number;
  /** After a failure: how many in a row, why, and when to try again. */
  failures: number;
  error: string | null;
  notBefore: number;
}

const NOTHING: Waiting = {
  changes: [],
  more: 0,
  sentAt: 0,
  failures: 0,
  error: null,
  notBefore: 0,
};

const MOST_CHANGES = 100;
const LONGEST_NAME = 200;

/** Anything that is not as it was written counts as nothing. */
export function readWaiting(text: string | null): Waiting {
  try {
    return { ...NOTHING, ...JSON.parse(text ?? '{}') };
  } catch {
    return NOTHING;
  }
}

export function withChange(waiting: Waiting, change: Change): Waiting {
  if (waiting.changes.length >= MOST_CHANGES) return { ...waiting, more: waiting.more + 1 };
  const kept = { ...change, name: change.name.slice(0, LONGEST_NAME) };
  return { ...waiting, changes: [...waiting.changes, kept] };
}

export const countOf = ({ changes, more }: Batch): number => changes.length + more;

export const afterSuccess = (now: number): Waiting => ({ ...NOTHING, sentAt: now });

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** A chat that is not there is asked ever more seldom. */
export function afterFailure(
  waiting: Waiting,
  { error, retryAfterMs }: { error: string; retryAfterMs: number },
  now: number,
): Waiting {
  const failures = waiting.failures + 1;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return { ...waiting, failures, error, notBefore: now + Math.max(pause, retryAfterMs) };
}
