import type { Project, RecordsDb } from '../records/index.ts';

/** A page of a project's canon, with replies as JSON text: all but what is archived, in the order of row ids. */
export const pageOfCanon = (project: Project, after: number, limit: number) =>
  project.database.read((db: RecordsDb) =>
    db
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['entities.row_id', 'entity_type', 'path', 'json'])
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('status', '<>', 'archived')
      .where('entities.row_id', '>', after)
      .orderBy('entities.row_id')
      .limit(limit)
      .execute(),
  );

/** What changes whenever an entity comes, goes or changes. */
export async function canonState(project: Project): Promise<string> {
  const [total, row] = await Promise.all([
    countEntities(project),
    project.database.read((db: RecordsDb) =>
      db
        .selectFrom('entities')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .where('tenant_id', '=', project.tenantId)
        .where('project_id', '=', project.projectId)
        .executeTakeFirst(),
    ),
  ]);
  return `${total} ${row?.seq ?? 0}`;
}

/** How many entities a project has, archived ones too. */
export async function countEntities(project: Project): Promise<number> {
  const rows = await project.database.read((db: RecordsDb) =>
    db
      .selectFrom('entity_counts')
      .select((eb) => eb.fn.sum<number>('total').as('total'))
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .execute(),
  );
  return Number(rows[0]?.total ?? 0);
}

/** Everything before the body of the files at these paths. */
export const headsAt = (project: Project, paths: readonly string[]) =>
  project.database.read((db: RecordsDb) =>
    db
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['path', 'head'])
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('path', 'in', paths)
      .execute(),
  );
