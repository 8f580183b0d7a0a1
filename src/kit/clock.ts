/** Time as a dependency, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 with milliseconds, UTC. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The date part, `YYYY-MM-DD`, of an ISO 8601 time. */
export const dayOf = (time: string): string => time.slice(0, 10);

export const isoDate = (milliseconds: number): string => dayOf(isoTime(milliseconds));
