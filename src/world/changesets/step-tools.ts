import type { TemplateEditor, TemplateRegistry } from '../definitions/index.ts';
import type { Entities, Origin, RecycleBin } from '../entities/index.ts';
import type { EntityRow, Project, RecordsDb } from '../records/index.ts';
import type { ChangesetDb, OperationRow, StepRow } from './changesets.tables.ts';
import { type StepResult, settleStep } from './steps.store.ts';

/** An entity that a step of an operation has changed, created, deleted or restored. */
export type SettledEntity = Pick<EntityRow, 'row_id' | 'version' | 'entity_type' | 'entity_id'>;

/** Runs once for each applied step about an entity, in the transaction that notes it. An error takes the step back. */
export type FollowStep = (
  db: RecordsDb,
  project: Project,
  operation: Pick<OperationRow, 'operation_id' | 'kind' | 'undoes' | 'created_by'>,
  entity: SettledEntity,
) => Promise<unknown>;

export interface StepTools {
  project: Project;
  operation: OperationRow;
  entities: Entities;
  recycleBin: RecycleBin;
  templates: TemplateRegistry;
  templateEditor: TemplateEditor;
  followers: readonly FollowStep[];
  now(): string;
}

export const authorOf = ({ created_by: actor, plan }: OperationRow) => ({ actor, plan });

/** Notes a result without a change of its own; `entity` is whom the step is about. */
export const note = (
  tools: StepTools,
  step: StepRow,
  result: StepResult,
  entity?: SettledEntity,
): Promise<unknown> =>
  tools.project.database.write((db: ChangesetDb) => settle(tools, db, step, { result, entity }));

async function settle(
  { project, operation, followers }: StepTools,
  db: ChangesetDb,
  step: StepRow,
  { result, entity }: { result: StepResult; entity: SettledEntity | undefined },
): Promise<void> {
  const isFirst = await settleStep(db, step, result);
  if (!isFirst || entity === undefined) return;
  for (const follow of followers) await follow(db as unknown as RecordsDb, project, operation, entity);
}

/** The origin of a change within the operation: its transaction also settles the step. */
export const originOf = (
  tools: StepTools,
  step: StepRow,
  before: Pick<EntityRow, 'version'> | null,
): Origin => ({
  source: tools.operation.source,
  operation_id: tools.operation.operation_id,
  also: (db: RecordsDb, stored: EntityRow) =>
    settle(tools, db as unknown as ChangesetDb, step, {
      result: {
        state: 'done',
        path: stored.path,
        row_id: stored.row_id,
        checksum: stored.file_checksum,
        version_before: before?.version ?? 0,
        version_after: stored.version,
      },
      entity: stored,
    }),
});
