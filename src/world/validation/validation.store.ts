import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { type Project, type RecordsDb, TEMPLATE_ROW_TYPE } from '../records/index.ts';

const ofProject = (db: RecordsDb, project: Project) => inProject(db, project).selectFrom('entities');

const withDocuments = (db: RecordsDb, project: Project) =>
  ofProject(db, project)
    .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .select(['entities.row_id', 'entities.path', 'entity_documents.json']);

export interface StoredEntity {
  row_id: number;
  path: string;
  json: string;
}

export const storedEntities = (project: Project, rowIds: readonly number[]): Promise<StoredEntity[]> =>
  project.database.read((db: RecordsDb) =>
    withDocuments(db, project).where('entities.row_id', 'in', rowIds).orderBy('entities.row_id').execute(),
  );

export const storedEntity = (project: Project, entityType: string, entityId: string) =>
  project.database.read((db: RecordsDb) =>
    withDocuments(db, project)
      .where('entities.entity_type', '=', entityType)
      .where('entities.entity_id', '=', entityId)
      .executeTakeFirst(),
  );

/** Entities of any type with these ids. */
export const existingOf = (project: Project, entityIds: readonly string[]) =>
  project.database.read((db: RecordsDb) =>
    inParts(entityIds, (part) =>
      ofProject(db, project)
        .select(['entity_type', 'entity_id'])
        .where('entity_id', 'in', part)
        .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
        .execute(),
    ),
  );

/** A page of a type's ids in order. */
export const entityKeys = (project: Project, entityType: string, after: string, limit: number) =>
  project.database.read((db: RecordsDb) =>
    ofProject(db, project)
      .select(['row_id', 'entity_id'])
      .where('entity_type', '=', entityType)
      .where('entity_id', '>', after)
      .orderBy('entity_id')
      .limit(limit)
      .execute(),
  );

/** The parts of rows' files before the body. */
export async function headsOf(project: Project, rowIds: readonly number[]): Promise<Map<number, string>> {
  if (rowIds.length === 0) return new Map();
  const rows = await project.database.read((db: RecordsDb) =>
    db.selectFrom('entity_documents').select(['row_id', 'head']).where('row_id', 'in', rowIds).execute(),
  );
  return new Map(rows.map(({ row_id, head }) => [row_id, head]));
}
