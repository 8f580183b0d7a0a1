import { type RawBuilder, sql } from 'kysely';
import { newId } from '../../../kit/ids.ts';
import type { JobKey } from '../jobs.ts';
import { JOB_KEY, type JobsDb } from './sql-jobs-tables.ts';
import { createTurns } from './sql-jobs-turns.ts';

/** A running job keeps its value; any other gets the new one. */
const unlessRunning = <Value>(column: string, otherwise: RawBuilder<Value>): RawBuilder<Value> =>
  sql`case when jobs.state = 'running' then jobs.${sql.ref(column)} else ${otherwise} end`;

const earlier = (one: string, other: string): RawBuilder<number> =>
  sql`case when ${sql.ref(one)} < ${sql.ref(other)} then ${sql.ref(one)} else ${sql.ref(other)} end`;

/** In the caller's transaction. */
export async function addJobs(
  db: JobsDb,
  keys: readonly JobKey[],
  { now, dueAt }: { now: number; dueAt: number },
): Promise<void> {
  if (keys.length === 0) return;
  const takeTurn = createTurns(db, now);
  const places: { key: JobKey; turn: number | null }[] = [];
  for (const key of withoutTwins(keys))
    places.push({ key, turn: dueAt > now ? null : await takeTurn(key.queue, key.tenantId) });
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
        due_at: dueAt,
        turn,
        token: null,
        attempts: 0,
        asked_again: 0,
        again_at: null,
        error: null,
        requested_at: now,
        finished_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns([...JOB_KEY]).doUpdateSet({
        asked_again: sql<number>`case when jobs.state = 'running' then 1 else 0 end`,
        state: unlessRunning('state', sql`'waiting'`),
        again_at: sql<
          number | null
        >`case when jobs.state = 'running' then ${earlier('jobs.again_at', 'excluded.due_at')} else null end`,
        due_at: unlessRunning('due_at', earlier('jobs.due_at', 'excluded.due_at')),
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
