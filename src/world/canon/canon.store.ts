import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';

/** Without archived entities, with replies as JSON text in the order of row ids. */
export const pageOfCanon = (project: Project, after: number, limit: number) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['entities.row_id', 'entity_type', 'path', 'json'])
      .where('status', '<>', 'archived')
      .where('entities.row_id', '>', after)
      .orderBy('entities.row_id')
      .limit(limit)
      .execute(),
  );

/** Returns a text that changes with every change of an entity. */
export async function canonState(project: Project): Promise<string> {
  const [total, row] = await Promise.all([
    countEntities(project),
    project.database.read((db: RecordsDb) =>
      inProject(db, project)
        .selectFrom('entities')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .executeTakeFirst(),
    ),
  ]);
  return `${total} ${row?.seq ?? 0}`;
}

export async function countEntities(project: Project): Promise<number> {
  const rows = await project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('entity_counts')
      .select((eb) => eb.fn.sum<number>('total').as('total'))
      .execute(),
  );
  return Number(rows[0]?.total ?? 0);
}

export const headsAt = (project: Project, paths: readonly string[]) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['path', 'head'])
      .where('path', 'in', paths)
      .execute(),
  );
