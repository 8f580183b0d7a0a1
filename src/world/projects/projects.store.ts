import { inProject } from '../../platform/database/scoped.ts';
import type { ProjectsTable, RecordsDb } from '../records/index.ts';

type ProjectRow = Pick<ProjectsTable, 'number'>;

export const findProject = (db: RecordsDb, tenantId: string, projectId: string) =>
  inProject(db, { tenantId, projectId }).selectFrom('projects').select('number').executeTakeFirst();

/** Returns the row of a project, creating a missing one. Needs a lock, since numbers count over all tenants. */
export async function ensureProjectRow(
  db: RecordsDb,
  tenantId: string,
  projectId: string,
  at: string,
): Promise<ProjectRow> {
  const known = await findProject(db, tenantId, projectId);
  if (known) return known;
  const last = await db
    .selectFrom('projects')
    .select((eb) => eb.fn.max('number').as('number'))
    .executeTakeFirst();
  const row = { tenant_id: tenantId, project_id: projectId, number: (last?.number ?? 0) + 1 };
  await db
    .insertInto('projects')
    .values({ ...row, seq: 0, manifest_version: 1, brake: null, created_at: at })
    .execute();
  return row;
}
