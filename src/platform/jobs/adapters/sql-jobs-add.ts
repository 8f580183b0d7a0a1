import { type RawBuilder, sql } from 'kysely';
import { newId } from '../../../kit/ids.ts';
import type { JobKey } from '../jobs.ts';
import { JOB_KEY, type JobsDb } from './sql-jobs-tables.ts';

/** What a running job keeps, and what one gets that does not run. */
const unlessRunning = <Value>(column: string, otherwise: RawBuilder<Value>): RawBuilder<Value> =>
  sql`case when jobs.state = 'running' then jobs.${sql.ref(column)} else ${otherwise} end`;

/** Adds jobs or asks for them again, in the caller's transaction. */
export async function addJobs(db: JobsDb, keys: readonly JobKey[], now: number): Promise<void> {
  if (keys.length === 0) return;
  const takeTurn = createTurns(db, now);
  const places: { key: JobKey; turn: number }[] = [];
  for (const key of withoutTwins(keys)) places.push({ key, turn: await takeTurn(key) });
  await db
    .insertInto('jobs')
    .values(
      places.map(({ key: { tenantId, projectId, queue, kind, subject }, turn }) => ({
        job_id: newId(),
        tenant_id: tenantId,
        project_id: projectId,
        queue,
        kind,
        subject,
        state: 'waiting' as const,
        due_at: now,
        turn,
        token: null,
        attempts: 0,
        asked_again: 0,
        error: null,
        requested_at: now,
        finished_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns([...JOB_KEY]).doUpdateSet({
        asked_again: sql<number>`case when jobs.state = 'running' then 1 else 0 end`,
        state: unlessRunning('state', sql`'waiting'`),
        due_at: unlessRunning(
          'due_at',
          sql<number>`case when jobs.due_at < excluded.due_at then jobs.due_at else excluded.due_at end`,
        ),
        turn: sql<number>`coalesce(jobs.turn, excluded.turn)`,
        attempts: unlessRunning('attempts', sql<number>`0`),
        error: unlessRunning('error', sql<string | null>`null`),
        requested_at: sql<number>`excluded.requested_at`,
        finished_at: null,
      }),
    )
    .execute();
}

/** PostgreSQL refuses a statement that names one row twice. */
function withoutTwins(keys: readonly JobKey[]): Iterable<JobKey> {
  const named = keys.map((key): [string, JobKey] => [
    JSON.stringify([key.tenantId, key.projectId, key.queue, key.kind, key.subject]),
    key,
  ]);
  return new Map(named).values();
}

/**
 * Gives places behind the tenant's own jobs; who has none begins where the queue is now. So tenants are served in turn,
 * whatever one of them has asked for before the others.
 */
function createTurns(db: JobsDb, now: number): (key: JobKey) => Promise<number> {
  const last = new Map<string, number>();
  return async ({ queue, tenantId }) => {
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

/** That of the job which is next. */
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
