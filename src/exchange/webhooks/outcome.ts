import type { Attempt } from './attempt.ts';

const FIRST_WAIT_MS = 5_000;
const FACTOR = 4;
const LONGEST_WAIT_MS = 10 * 3_600_000;
/** With the pauses in between, a little over a day. */
const MOST_ATTEMPTS = 10;
const LONGEST_RETRY_AFTER_MS = 86_400_000;
/** Share of each wait, so that deliveries that failed together do not return together. */
const JITTER = 0.2;

/** A slower receiver holds others up. */
const PROMPT_MS = 2_000;

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

export const isTaken = ({ error }: Attempt): boolean => error === null;
/** 410 means: never again. */
export const isGone = ({ status }: Attempt): boolean => status === 410;

const askedWait = ({ retryAfterMs }: Attempt): number => Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);

/** The pause after the nth failed attempt; null after the last. */
export function waitAfter(attempts: number, attempt: Attempt, random: () => number): number | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  const wait = Math.min(FIRST_WAIT_MS * FACTOR ** (attempts - 1), LONGEST_WAIT_MS);
  const spread = 1 - JITTER + 2 * JITTER * random();
  return Math.round(Math.max(wait * spread, askedWait(attempt)));
}

/** True if others would wait too long behind this receiver. */
export const isSlow = (attempt: Attempt): boolean => !isTaken(attempt) || attempt.durationMs > PROMPT_MS;

/** How long to leave a receiver alone: as long as it asks for, and longer with each round of failures. */
export function restAfter(failures: number, attempts: readonly Attempt[]): number {
  const refusals = attempts.filter((attempt) => !isTaken(attempt));
  const asked = Math.max(0, ...refusals.map(askedWait));
  if (refusals.length < attempts.length) return asked;
  return Math.max(asked, Math.min(FIRST_REST_MS * 2 ** Math.min(failures, 20), LONGEST_REST_MS));
}
