import type { Clock } from '../../kit/clock.ts';
import { partsOf } from '../../kit/parts.ts';
import type { Database } from '../../platform/database/database.ts';
import { DAY_MS } from './redemptions.service.ts';
import type { FeedbackStatus, WaitlistState } from './states.contract.ts';
import { createStatsStore } from './stats.store.ts';

export interface StatsOptions {
  database: Database;
  clock: Clock;
  /** Milliseconds of the last sign-in or refresh of each of these users. */
  lastActiveOf(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A query takes a limited number of parameters. */
const PEOPLE_AT_ONCE = 500;

export interface CohortStats {
  cohort: string | null;
  codes: number;
  redeemed: number;
  active_7_days: number;
  active_30_days: number;
  feedback: Record<FeedbackStatus, number>;
  promoted: number;
}

const emptyStats = (cohort: string | null): CohortStats => ({
  ...{ cohort, codes: 0, redeemed: 0, active_7_days: 0, active_30_days: 0, promoted: 0 },
  feedback: { open: 0, reviewed: 0, planned: 0, resolved: 0, closed: 0 },
});

const byName = ({ cohort: one }: CohortStats, { cohort: other }: CohortStats): number =>
  (one ?? '') < (other ?? '') ? -1 : 1;

export function createStats({ database, clock, lastActiveOf }: StatsOptions) {
  const store = createStatsStore(database.system);

  return async () => {
    const cohorts = new Map<string | null, CohortStats>();
    const of = (cohort: string | null): CohortStats => {
      const known = cohorts.get(cohort) ?? emptyStats(cohort);
      cohorts.set(cohort, known);
      return known;
    };
    for (const { cohort, codes, redeemed } of await store.codes())
      Object.assign(of(cohort), { codes, redeemed });

    const people = await store.people();
    const ids = new Set(people.flatMap(({ user_id }) => user_id ?? []));
    const lastActive = new Map<string, number>();
    for (const part of partsOf([...ids], PEOPLE_AT_ONCE))
      for (const [userId, atMs] of await lastActiveOf(part)) lastActive.set(userId, atMs);
    for (const { cohort, user_id } of people) {
      const awayMs = clock.now() - (lastActive.get(user_id ?? '') ?? Number.NEGATIVE_INFINITY);
      if (awayMs <= 7 * DAY_MS) of(cohort).active_7_days += 1;
      if (awayMs <= 30 * DAY_MS) of(cohort).active_30_days += 1;
    }

    for (const { cohort, status, count } of await store.feedback()) of(cohort).feedback[status] += count;

    const waitlist: Record<WaitlistState, number> = { unconfirmed: 0, waiting: 0, promoted: 0 };
    for (const { cohort, state, count } of await store.waitlist()) {
      waitlist[state] += count;
      if (state === 'promoted') of(cohort).promoted += count;
    }
    return { cohorts: [...cohorts.values()].sort(byName), waitlist };
  };
}

export type Stats = ReturnType<typeof createStats>;
