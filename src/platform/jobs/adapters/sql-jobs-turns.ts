import type { Dialect } from '../../database/dialect.ts';
import type { JobsDb } from './sql-jobs-tables.ts';

/** Each claim gives more jobs a position than it takes, so none waits for long. */
const PLACED_AT_ONCE = 100;

/** Gives positions to jobs that have become due. Earlier positions would let one tenant's many jobs delay other tenants. */
export async function placeDue(db: JobsDb, dialect: Dialect, queue: string, now: number): Promise<void> {
  const due = await db
    .selectFrom('jobs')
    .select(['job_id', 'tenant_id'])
    .where('queue', '=', queue)
    .where('due_at', '<=', now)
    .where('turn', 'is', null)
    .orderBy('due_at')
    .limit(PLACED_AT_ONCE)
    .modifyEnd(dialect.forUpdateSkipLocked)
    .execute();
  const takeTurn = createTurns(db, now);
  for (const { job_id, tenant_id } of due)
    await db
      .updateTable('jobs')
      .set({ turn: await takeTurn(queue, tenant_id) })
      .where('job_id', '=', job_id)
      .execute();
}

/**
 * Returns the position behind the tenant's own last job, or the queue's current one if it has none. So tenants are served
 * round robin, whatever one of them requested before the others.
 */
export function createTurns(db: JobsDb, now: number): (queue: string, tenantId: string) => Promise<number> {
  const last = new Map<string, number>();
  return async (queue, tenantId) => {
    const name = JSON.stringify([queue, tenantId]);
    const turn =
      1 + (last.get(name) ?? (await lastTurn(db, queue, tenantId)) ?? (await presentTurn(db, queue, now)));
    last.set(name, turn);
    return turn;
  };
}

async function lastTurn(db: JobsDb, queue: string, tenantId: string): Promise<number | null> {
  const found = await db
    .selectFrom('jobs')
    .select('turn')
    .where('queue', '=', queue)
    .where('tenant_id', '=', tenantId)
    .where('turn', 'is not', null)
    .orderBy('turn', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.turn ?? null;
}

async function presentTurn(db: JobsDb, queue: string, now: number): Promise<number> {
  const found = await db
    .selectFrom('jobs')
    .select('turn')
    .where('queue', '=', queue)
    .where('turn', 'is not', null)
    .where('due_at', '<=', now)
    .orderBy('turn')
    .limit(1)
    .executeTakeFirst();
  return found?.turn ?? 0;
}
