import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';

export const pageOfEntities = (project: Project, after: number, limit: number) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['entities.row_id', 'entity_type', 'entity_id', 'path', 'json'])
      .where('entities.row_id', '>', after)
      .where('entity_type', '<>', 'Template')
      .orderBy('entities.row_id')
      .limit(limit)
      .execute(),
  );
