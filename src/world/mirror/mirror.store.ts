import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import type { HeldDeletions } from './report.ts';

export async function readHeldDeletions(project: Project): Promise<HeldDeletions | null> {
  const row = await project.database.read((db: RecordsDb) =>
    inProject(db, project).selectFrom('projects').select('brake').executeTakeFirst(),
  );
  return row?.brake ? (JSON.parse(row.brake) as HeldDeletions) : null;
}

export const storeHeldDeletions = (project: Project, held: HeldDeletions | null) =>
  project.database.write((db: RecordsDb) =>
    inProject(db, project)
      .updateTable('projects')
      .set({ brake: held && JSON.stringify(held) })
      .execute(),
  );

export async function recycledFolders(project: Project): Promise<Set<string>> {
  const rows = await project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('recycle_items')
      .select('folder')
      .where('folder', 'is not', null)
      .execute(),
  );
  return new Set(rows.flatMap((row) => row.folder ?? []));
}

export const purgeTombstones = (project: Project, before: string) =>
  project.database.write((db: RecordsDb) =>
    inProject(db, project).deleteFrom('files').where('deleted_at', '<', before).execute(),
  );
