import type { Project } from '../records/index.ts';
import type { ChangesetDb, OperationRow, OperationStatus, OperationsTable } from './changesets.tables.ts';

const UNFINISHED: OperationStatus[] = ['planning', 'running', 'cancelling'];

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
    Pick<OperationRow, 'status' | 'total' | 'applied' | 'skipped' | 'undone_by' | 'finished_at' | 'reason'>
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

/** Changes an operation that is in one of these states; whether it was. */
const updateIn = (
  project: Project,
  operationId: string,
  statuses: OperationStatus[],
  values: Partial<Pick<OperationRow, 'status' | 'told'>>,
): Promise<boolean> =>
  project.database.write(async (db: ChangesetDb) => {
    const { numUpdatedRows } = await db
      .updateTable('operations')
      .set(values)
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('operation_id', '=', operationId)
      .where('status', 'in', statuses)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });

/** Its plan is complete; one that is to be cancelled stays so. */
export const noteRunning = (
  project: Project,
  operationId: string,
  { label, total }: Pick<OperationRow, 'label' | 'total'>,
): Promise<unknown> =>
  project.database.write(async (db: ChangesetDb) => {
    const operation = db
      .updateTable('operations')
      .where('tenant_id', '=', project.tenantId)
      .where('operation_id', '=', operationId);
    await operation.set({ label, total }).execute();
    await operation.set({ status: 'running' }).where('status', '=', 'planning').execute();
  });

/** Asks an operation to stop; false where it is over. */
export const noteCancelling = (project: Project, operationId: string): Promise<boolean> =>
  updateIn(project, operationId, UNFINISHED, { status: 'cancelling' });

/** Its id is known outside; false where it is over, or has gone. */
export const noteTold = (project: Project, operationId: string): Promise<boolean> =>
  updateIn(project, operationId, UNFINISHED, { told: 1 });

/** Takes the steps of an operation away that were never begun. */
export const deleteSteps = (project: Project, operationId: string): Promise<unknown> =>
  project.database.write((db: ChangesetDb) =>
    db
      .deleteFrom('operation_steps')
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
