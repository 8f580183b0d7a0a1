import { inProject, inTenant } from '../../platform/database/scoped.ts';
import type { Project } from '../records/index.ts';
import type { ChangesetDb, OperationRow, OperationStatus, OperationsTable } from './changesets.tables.ts';

const UNFINISHED: OperationStatus[] = ['planning', 'running', 'cancelling'];

const ofProject = (db: ChangesetDb, project: Project) => inProject(db, project).selectFrom('operations');

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
    inTenant(db, project.tenantId)
      .updateTable('operations')
      .set(values)
      .where('operation_id', '=', operationId)
      .execute(),
  );

/** Updates an operation that is in one of these states; resolves to true if it was. */
const updateIn = (
  project: Project,
  operationId: string,
  statuses: OperationStatus[],
  values: Partial<Pick<OperationRow, 'status' | 'told'>>,
): Promise<boolean> =>
  project.database.write(async (db: ChangesetDb) => {
    const { numUpdatedRows } = await inProject(db, project)
      .updateTable('operations')
      .set(values)
      .where('operation_id', '=', operationId)
      .where('status', 'in', statuses)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });

/** An operation that is being cancelled keeps its status. */
export const noteRunning = (
  project: Project,
  operationId: string,
  { label, total }: Pick<OperationRow, 'label' | 'total'>,
): Promise<unknown> =>
  project.database.write(async (db: ChangesetDb) => {
    const operation = inTenant(db, project.tenantId)
      .updateTable('operations')
      .where('operation_id', '=', operationId);
    await operation.set({ label, total }).execute();
    await operation.set({ status: 'running' }).where('status', '=', 'planning').execute();
  });

export const noteCancelling = (project: Project, operationId: string): Promise<boolean> =>
  updateIn(project, operationId, UNFINISHED, { status: 'cancelling' });

/** Records that a caller has its id; false if the operation is over or removed. */
export const notePolled = (project: Project, operationId: string): Promise<boolean> =>
  updateIn(project, operationId, UNFINISHED, { told: 1 });

export const deleteSteps = (project: Project, operationId: string): Promise<unknown> =>
  project.database.write((db: ChangesetDb) =>
    inTenant(db, project.tenantId)
      .deleteFrom('operation_steps')
      .where('operation_id', '=', operationId)
      .execute(),
  );

export const deleteOperation = (project: Project, operationId: string): Promise<unknown> =>
  project.database.write(async (db: ChangesetDb) => {
    for (const table of ['operation_steps', 'operations'] as const) {
      await inTenant(db, project.tenantId)
        .deleteFrom(table)
        .where('operation_id', '=', operationId)
        .execute();
    }
  });

export const findOperation = (project: Project, operationId: string): Promise<OperationRow | undefined> =>
  project.database.read((db: ChangesetDb) =>
    ofProject(db, project).selectAll().where('operation_id', '=', operationId).executeTakeFirst(),
  );

export const unfinishedOperations = (project: Project): Promise<OperationRow[]> =>
  project.database.read((db: ChangesetDb) =>
    ofProject(db, project).selectAll().where('status', 'in', UNFINISHED).orderBy('started_at').execute(),
  );

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
