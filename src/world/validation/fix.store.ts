import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';

export const namedEntities = (project: Project, entityType: string, after: string, limit: number) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('entities')
      .select(['entity_id', 'name', 'path'])
      .where('entity_type', '=', entityType)
      .where('entity_id', '>', after)
      .orderBy('entity_id')
      .limit(limit)
      .execute(),
  );

/** Entities with unreadable files, named by their folders. */
export const unreadableEntities = (project: Project) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('files')
      .select(['entity_type', 'entity_id'])
      .where('deleted_at', 'is', null)
      .where('problem', 'is not', null)
      .execute(),
  );
