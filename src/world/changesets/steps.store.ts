import { inTenant } from '../../platform/database/scoped.ts';
import { type EntityRow, findRowById, type Project, readRevision, storedFileText } from '../records/index.ts';
import type { ChangesetDb, OperationStepsTable, StepKind, StepRow, StepState } from './changesets.tables.ts';

export const insertSteps = (project: Project, steps: readonly OperationStepsTable[]): Promise<unknown> =>
  project.database.write((db: ChangesetDb) => db.insertInto('operation_steps').values(steps).execute());

const ofOperation = (db: ChangesetDb, project: Project, operationId: string) =>
  inTenant(db, project.tenantId).selectFrom('operation_steps').where('operation_id', '=', operationId);

export const plannedSteps = (
  project: Project,
  operationId: string,
  { after, limit, kind }: { after: number; limit: number; kind?: StepKind },
): Promise<StepRow[]> =>
  project.database.read((db: ChangesetDb) => {
    const steps = ofOperation(db, project, operationId).where('state', '=', 'planned');
    return (kind === undefined ? steps : steps.where('kind', '=', kind))
      .selectAll()
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit)
      .execute();
  });

export const appliedSteps = (project: Project, operationId: string, before: number, limit: number) =>
  project.database.read((db: ChangesetDb) =>
    ofOperation(db, project, operationId)
      .selectAll()
      .where('state', '=', 'done')
      .where('position', '<', before)
      .orderBy('position', 'desc')
      .limit(limit)
      .execute(),
  );

const SHOWN = [
  'position',
  'kind',
  'entity_type',
  'entity_id',
  'to_id',
  'path',
  'origin',
  'state',
  'reason',
] as const;
const TRACED = ['base_checksum', 'checksum', 'version_before', 'version_after'] as const;

export const listSteps = (
  project: Project,
  operationId: string,
  page: { limit: number; offset: number; state?: StepState },
): Promise<Pick<StepRow, (typeof SHOWN)[number] | (typeof TRACED)[number]>[]> =>
  project.database.read((db: ChangesetDb) => {
    const steps = ofOperation(db, project, operationId);
    return (page.state === undefined ? steps : steps.where('state', '=', page.state))
      .select([...SHOWN, ...TRACED])
      .orderBy('position')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
  });

export const hasSteps = (
  project: Project,
  operationId: string,
  { kind, state }: { kind: StepKind; state: StepState | readonly StepState[] },
): Promise<boolean> =>
  project.database.read(async (db: ChangesetDb) => {
    const steps = ofOperation(db, project, operationId)
      .where('kind', '=', kind)
      .where('state', 'in', [state].flat());
    return (await steps.select('position').limit(1).execute()).length > 0;
  });

export const skipPlanned = (project: Project, operationId: string, reason: string): Promise<unknown> =>
  project.database.write((db: ChangesetDb) =>
    inTenant(db, project.tenantId)
      .updateTable('operation_steps')
      .set({ state: 'skipped', reason, base: null, text: null })
      .where('operation_id', '=', operationId)
      .where('state', '=', 'planned')
      .execute(),
  );

export const countSteps = (project: Project, operationId: string): Promise<Record<StepState, number>> =>
  project.database.read(async (db: ChangesetDb) => {
    const rows = await ofOperation(db, project, operationId)
      .select(['state', (eb) => eb.fn.countAll<number>().as('total')])
      .groupBy('state')
      .execute();
    const counts = { planned: 0, done: 0, skipped: 0 };
    for (const { state, total } of rows) counts[state] = Number(total);
    return counts;
  });

export type StepResult = Pick<StepRow, 'state'> &
  Partial<Pick<StepRow, 'reason' | 'path' | 'checksum' | 'row_id' | 'version_before' | 'version_after'>>;

type StepKey = Pick<StepRow, 'tenant_id' | 'operation_id' | 'position' | 'kind'>;

/** Stores a step's result in the transaction of its change, and drops its texts, except a template's. The first result counts: false for others. */
export async function settleStep(db: ChangesetDb, step: StepKey, result: StepResult): Promise<boolean> {
  const { numUpdatedRows } = await inTenant(db, step.tenant_id)
    .updateTable('operation_steps')
    .set({ ...result, ...(step.kind !== 'template' && { base: null, text: null }) })
    .where('operation_id', '=', step.operation_id)
    .where('position', '=', step.position)
    .where('state', '=', 'planned')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** An entity by its row id: its row if it is live, and the texts of two of its versions if they are kept. */
export async function lifeOf(
  project: Project,
  rowId: number,
  versions: { before: number; after: number },
): Promise<{ row: EntityRow | undefined; before: string | undefined; after: string | undefined }> {
  const { row, present } = await project.database.read(async (db: ChangesetDb) => ({
    row: await findRowById(db, project, rowId),
    present: await storedFileText(db, rowId),
  }));
  const textOf = async (version: number) =>
    row?.version === version ? present : (await readRevision(project, rowId, version))?.text;
  return { row, before: await textOf(versions.before), after: await textOf(versions.after) };
}

/** The oldest version of each entity, by row id, that an undo of changes since a time (ISO) needs. */
export const versionsToUndo = (
  project: Project,
  rowIds: readonly number[],
  since: string,
): Promise<Map<number, number>> =>
  project.database.read(async (db: ChangesetDb) => {
    const rows = await db
      .selectFrom('operation_steps as step')
      .innerJoin('operations as operation', 'operation.operation_id', 'step.operation_id')
      .select((eb) => ['step.row_id', eb.fn.min('step.version_before').as('version')])
      .where('operation.tenant_id', '=', project.tenantId)
      .where('operation.project_id', '=', project.projectId)
      .where('operation.status', '<>', 'undone')
      .where((eb) =>
        eb.or([eb('operation.finished_at', 'is', null), eb('operation.finished_at', '>=', since)]),
      )
      .where('step.kind', 'in', ['write', 'move'])
      .where('step.row_id', 'in', rowIds)
      .where('step.version_before', 'is not', null)
      .groupBy('step.row_id')
      .execute();
    return new Map(rows.map(({ row_id, version }) => [Number(row_id), Number(version)]));
  });
