import type { JobKey } from '../jobs.ts';
import type { JobsDb } from './sql-jobs-tables.ts';

/**
 * Removes the row of a job that has not ended, and so invalidates its claim. Returns the number of removed jobs, 0 or 1.
 */
export async function cancelJob(
  db: JobsDb,
  { tenantId, projectId, queue, kind, subject }: JobKey,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('queue', '=', queue)
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
