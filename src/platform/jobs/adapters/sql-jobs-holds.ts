import type { JobHold } from '../jobs.ts';
import type { JobHoldRow, JobsDb } from './sql-jobs-tables.ts';

/** `Infinity` as an integer that both databases can store. */
const NO_END = Number.MAX_SAFE_INTEGER;
const NOT_HELD: JobHold = { pausedUntilMs: null, slowedUntilMs: null, atMost: 1 };

const storedTime = (time: number | null): number | null => time && Math.min(time, NO_END);
const shownTime = (time: number | null, now: number): number | null => {
  if (time === null || time <= now) return null;
  return time === NO_END ? Number.POSITIVE_INFINITY : time;
};

export const toStored = (tenantId: string, queue: string, hold: JobHold): JobHoldRow => ({
  tenant_id: tenantId,
  queue,
  paused_until: storedTime(hold.pausedUntilMs),
  slowed_until: storedTime(hold.slowedUntilMs),
  at_most: hold.atMost,
});

export async function readHold(db: JobsDb, tenantId: string, queue: string, now: number): Promise<JobHold> {
  const row = await db
    .selectFrom('job_holds')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('queue', '=', queue)
    .executeTakeFirst();
  if (!row) return NOT_HELD;
  return {
    pausedUntilMs: shownTime(row.paused_until, now),
    slowedUntilMs: shownTime(row.slowed_until, now),
    atMost: row.at_most,
  };
}

export async function tenantsHeld(db: JobsDb, queue: string, now: number): Promise<string[]> {
  const holds = await db
    .selectFrom('job_holds')
    .select((eb) => [
      'tenant_id',
      'at_most',
      eb('paused_until', '>', now).as('is_paused'),
      eb
        .selectFrom('jobs')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('jobs.tenant_id', '=', 'job_holds.tenant_id')
        .whereRef('jobs.queue', '=', 'job_holds.queue')
        .where('state', '=', 'running')
        .where('due_at', '>', now)
        .as('running'),
    ])
    .where('queue', '=', queue)
    .where((eb) => eb.or([eb('paused_until', '>', now), eb('slowed_until', '>', now)]))
    .execute();
  return holds
    .filter(({ is_paused, running, at_most }) => is_paused || (running ?? 0) >= at_most)
    .map(({ tenant_id }) => tenant_id);
}
