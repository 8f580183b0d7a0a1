import type { Project, RecordsDb, Scope } from '../records/index.ts';
import type { Brake } from './report.ts';

const ofProject = ({ tenantId, projectId }: Scope) => ({ tenant_id: tenantId, project_id: projectId });

/** The stop that waits for a confirmation, or null. */
export async function readBrake(project: Project): Promise<Brake | null> {
  const { tenant_id, project_id } = ofProject(project);
  const row = await project.database.read((db: RecordsDb) =>
    db
      .selectFrom('projects')
      .select('brake')
      .where('tenant_id', '=', tenant_id)
      .where('project_id', '=', project_id)
      .executeTakeFirst(),
  );
  return row?.brake ? (JSON.parse(row.brake) as Brake) : null;
}

export const storeBrake = (project: Project, brake: Brake | null) =>
  project.database.write((db: RecordsDb) =>
    db
      .updateTable('projects')
      .set({ brake: brake && JSON.stringify(brake) })
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .execute(),
  );

/** Folders in the recycle bin that belong to an item. */
export async function recycledFolders(project: Project): Promise<Set<string>> {
  const rows = await project.database.read((db: RecordsDb) =>
    db
      .selectFrom('recycle_items')
      .select('folder')
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('folder', 'is not', null)
      .execute(),
  );
  return new Set(rows.flatMap((row) => row.folder ?? []));
}

/** Forgets files that were deleted before `before` (ISO). */
export const purgeTombstones = (project: Project, before: string) =>
  project.database.write((db: RecordsDb) =>
    db
      .deleteFrom('files')
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('deleted_at', '<', before)
      .execute(),
  );
