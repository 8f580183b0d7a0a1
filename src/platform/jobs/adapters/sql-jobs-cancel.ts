import type { JobKey } from '../jobs.ts';
import type { JobsDb } from './sql-jobs-tables.ts';

/** Removing the row also invalidates the claim. Returns 0 or 1. */
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
