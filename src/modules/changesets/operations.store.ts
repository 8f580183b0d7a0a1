import type { Project } from '../records/scope.ts';
import type { ChangesetDb, OperationRow, OperationStatus, OperationsTable } from './changesets.tables.ts';

const ofProject = (db: ChangesetDb, project: Project) =>
  db
    .selectFrom('operations')
    .where('tenant_id', '=', project.tenantId)
    .where('project_id', '=', project.projectId);

export const insertOperation = (project: Project, row: OperationsTable): Promise<unknown> =>
  project.database.write((db: ChangesetDb) => db.insertInto('operations').values(row).execute());

export const updateOperation = (
  project: Project,
  operationId: string,
  values: Partial<
    Pick<OperationRow, 'status' | 'total' | 'applied' | 'skipped' | 'undone_by' | 'finished_at'>
  >,
): Promise<unknown> =>
  project.database.write((db: ChangesetDb) =>
    db
      .updateTable('operations')
      .set(values)
      .where('tenant_id', '=', project.tenantId)
      .where('operation_id', '=', operationId)
      .execute(),
  );

/** Takes an operation away whose plan was never complete. */
export const deleteOperation = (project: Project, operationId: string): Promise<unknown> =>
  project.database.write(async (db: ChangesetDb) => {
    for (const table of ['operation_steps', 'operations'] as const) {
      await db
        .deleteFrom(table)
        .where('tenant_id', '=', project.tenantId)
        .where('operation_id', '=', operationId)
        .execute();
    }
  });

export const findOperation = (project: Project, operationId: string): Promise<OperationRow | undefined> =>
  project.database.read((db: ChangesetDb) =>
    ofProject(db, project).selectAll().where('operation_id', '=', operationId).executeTakeFirst(),
  );

const UNFINISHED: OperationStatus[] = ['planning', 'running'];

/** Operations that were not brought to their end, oldest first. */
export const unfinishedOperations = (project: Project): Promise<OperationRow[]> =>
  project.database.read((db: ChangesetDb) =>
    ofProject(db, project).selectAll().where('status', 'in', UNFINISHED).orderBy('started_at').execute(),
  );

/** A page of operations, newest first, and how many there are. */
export const listOperations = (
  project: Project,
  limit: number,
  offset: number,
): Promise<{ total: number; rows: OperationRow[] }> =>
  project.database.read(async (db: ChangesetDb) => {
    const { total } = await ofProject(db, project)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ofProject(db, project)
      .selectAll()
      .orderBy('started_at', 'desc')
      .orderBy('operation_id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { total: Number(total), rows };
  });
