import type { ProjectsTable, RecordsDb } from '../records/index.ts';

type ProjectRow = Pick<ProjectsTable, 'number'>;

export const findProject = (
  db: RecordsDb,
  tenantId: string,
  projectId: string,
): Promise<ProjectRow | undefined> =>
  db
    .selectFrom('projects')
    .select('number')
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();

/** The row of a project, made when it is new. Run under a lock: numbers are counted up over all tenants. */
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
