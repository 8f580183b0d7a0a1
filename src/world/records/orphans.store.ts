import { setImmediate as turn } from 'node:timers/promises';
import { inProject } from '../../platform/database/scoped.ts';
import { findRowById } from './entity-rows.store.ts';
import { pages } from './pages.ts';
import { type EntityRow, type RecordsDb, TEMPLATE_ROW_TYPE } from './records.tables.ts';
import type { Project } from './scope.ts';

interface Place {
  row_id: number;
  orphaned: unknown;
}

const readPlaces = (db: RecordsDb, project: Project, after: number, limit: number) =>
  inProject(db, project)
    .selectFrom('entities')
    .select(({ exists, selectFrom }) => [
      'row_id',
      exists(
        selectFrom('files')
          .select('files.path')
          .whereRef('files.tenant_id', '=', 'entities.tenant_id')
          .whereRef('files.project_id', '=', 'entities.project_id')
          .whereRef('files.path', '=', 'entities.path')
          .whereRef('files.entity_type', '=', 'entities.entity_type')
          .where('files.deleted_at', 'is', null)
          .where('files.problem', 'is', null)
          .where(({ eb, or, ref }) =>
            or([eb('files.entity_id', 'is', null), eb('files.entity_id', '<>', ref('entities.entity_id'))]),
          ),
      ).as('orphaned'),
    ])
    .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
    .where('row_id', '>', after)
    .orderBy('row_id')
    .limit(limit)
    .execute() as Promise<Place[]>;

/**
 * Entities whose file now belongs to another or to none. The import that took the file deletes them next; after a crash in between,
 * or while deletions are held, no change of a file leads to them any more.
 */
export async function findOrphans(project: Project): Promise<EntityRow[]> {
  const found: EntityRow[] = [];
  const read = (after: number, limit: number) =>
    project.database.read((db: RecordsDb) => readPlaces(db, project, after, limit));
  for await (const page of pages(0, read, (place) => place.row_id)) {
    for (const { row_id } of page.filter(({ orphaned }) => Boolean(orphaned))) {
      const row = await project.database.read((db: RecordsDb) => findRowById(db, project, row_id));
      if (row) found.push(row);
    }
    await turn();
  }
  return found;
}
