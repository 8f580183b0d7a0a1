import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';

/** Of entities, by row id; those that are gone by now are missing. */
export async function namesOfRows(db: RecordsDb, project: Project, rowIds: readonly number[]) {
  const { jsonAt } = project.database.dialect;
  const rows = await inParts(rowIds, (part) =>
    inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['entities.row_id', 'entity_type', 'entity_id', 'name', 'status'])
      .select(jsonAt('entity_documents.json', ['fields', 'aliases']).as('aliases'))
      .where('entities.row_id', 'in', part)
      .execute(),
  );
  return new Map(rows.map((row) => [row.row_id, row]));
}

type NamedRows = Awaited<ReturnType<typeof namesOfRows>>;
export type NamedRow = NamedRows extends Map<number, infer Row> ? Row : never;
