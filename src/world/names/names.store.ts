import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';

export interface NameRow {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  /** JSON of the field `aliases`; null if there is none. */
  aliases: string | null;
}

const namesOf = (db: RecordsDb, project: Project, entityType: string) =>
  inProject(db, project)
    .selectFrom('entities')
    .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .select(['entity_type', 'entity_id', 'name', 'status'])
    .select(project.database.dialect.jsonAt('entity_documents.json', ['fields', 'aliases']).as('aliases'))
    .where('entity_type', '=', entityType);

/** By id, after `after`. */
export const pageOfNames = (
  project: Project,
  entityType: string,
  after: string,
  limit: number,
): Promise<NameRow[]> =>
  project.database.read((db: RecordsDb) =>
    namesOf(db, project, entityType)
      .where('entity_id', '>', after)
      .orderBy('entity_id')
      .limit(limit)
      .execute(),
  );

export const namesByIds = (
  project: Project,
  entityType: string,
  entityIds: readonly string[],
): Promise<NameRow[]> =>
  inParts(entityIds, (part) =>
    project.database.read((db: RecordsDb) =>
      namesOf(db, project, entityType).where('entity_id', 'in', part).execute(),
    ),
  );
