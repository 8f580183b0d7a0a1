import { inProject } from '../../platform/database/scoped.ts';
import { type EntityRow, type Project, pages, type RecordsDb } from '../records/index.ts';

type Named = Pick<EntityRow, 'row_id' | 'entity_type' | 'entity_id' | 'path'>;

const PAGE = 500;

export async function* entitiesOfType(project: Project, entityType: string): AsyncGenerator<Named> {
  const readPage = (after: number, limit: number): Promise<Named[]> =>
    project.database.read((db: RecordsDb) =>
      inProject(db, project)
        .selectFrom('entities')
        .select(['row_id', 'entity_type', 'entity_id', 'path'])
        .where('entity_type', '=', entityType)
        .where('row_id', '>', after)
        .orderBy('row_id')
        .limit(limit)
        .execute(),
    );
  for await (const rows of pages(0, readPage, (row) => row.row_id, PAGE)) yield* rows;
}
