import { inProject } from '../../../platform/database/scoped.ts';
import { type Project, scopeColumns } from '../../records/index.ts';
import type { ProposalStatus } from '../proposals.contract.ts';
import type { ChangeSetRow, ChangeSetsTable, ProposalsDb } from '../proposals.tables.ts';

export type Counts = Partial<Record<ProposalStatus, number>>;

const ofProject = (db: ProposalsDb, project: Project) => inProject(db, project).selectFrom('change_sets');

/** False if the project has as many as it may have. */
export const insertChangeSet = (
  project: Project,
  row: Omit<ChangeSetsTable, 'tenant_id' | 'project_id'>,
  most: number,
): Promise<boolean> =>
  project.database.write(async (db: ProposalsDb) => {
    const { total } = await ofProject(db, project)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    if (Number(total) >= most) return false;
    await db
      .insertInto('change_sets')
      .values({ ...row, ...scopeColumns(project) })
      .execute();
    return true;
  });

export const findChangeSet = (project: Project, changeSetId: string): Promise<ChangeSetRow | undefined> =>
  project.database.read((db: ProposalsDb) =>
    ofProject(db, project).selectAll().where('change_set_id', '=', changeSetId).executeTakeFirst(),
  );

/** Newest first. */
export const listChangeSets = (
  project: Project,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: ChangeSetRow[] }> =>
  project.database.read(async (db: ProposalsDb) => {
    const { total } = await ofProject(db, project)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ofProject(db, project)
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('change_set_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return { total: Number(total), rows };
  });

/** How many proposals of each status each set has. */
export const countsOfSets = (
  project: Project,
  changeSetIds: readonly string[],
): Promise<Map<string, Counts>> =>
  project.database.read(async (db: ProposalsDb) => {
    if (changeSetIds.length === 0) return new Map();
    const rows = await inProject(db, project)
      .selectFrom('proposals')
      .select((eb) => ['change_set_id', 'status', eb.fn.countAll<number>().as('total')])
      .where('change_set_id', 'in', changeSetIds)
      .groupBy(['change_set_id', 'status'])
      .execute();
    const counts = new Map<string, Counts>();
    for (const { change_set_id: id, status, total } of rows) {
      if (id !== null) counts.set(id, { ...counts.get(id), [status]: Number(total) });
    }
    return counts;
  });

export const noteOperation = (project: Project, changeSetId: string, operationId: string): Promise<unknown> =>
  project.database.write((db: ProposalsDb) =>
    inProject(db, project)
      .updateTable('change_sets')
      .set({ operation_id: operationId })
      .where('change_set_id', '=', changeSetId)
      .execute(),
  );
