import type { TemplateEditor, TemplateRegistry } from '../definitions/index.ts';
import type { Entities, Origin, RecycleBin } from '../entities/index.ts';
import type { EntityRow, Project, RecordsDb } from '../records/index.ts';
import type { ChangesetDb, OperationRow, StepRow } from './changesets.tables.ts';
import { type StepResult, settleStep } from './steps.store.ts';

export interface StepTools {
  project: Project;
  operation: OperationRow;
  entities: Entities;
  recycleBin: RecycleBin;
  templates: TemplateRegistry;
  templateEditor: TemplateEditor;
  now(): string;
}

export const authorOf = ({ created_by: actor, plan }: OperationRow) => ({ actor, plan });

export const note = ({ project }: StepTools, step: StepRow, result: StepResult): Promise<unknown> =>
  project.database.write((db: ChangesetDb) => settleStep(db, step, result));

/** The origin of a change within the operation: its transaction also settles the step. */
export const originOf = (
  { operation }: StepTools,
  step: StepRow,
  before: Pick<EntityRow, 'version'> | null,
): Origin => ({
  source: operation.source,
  operation_id: operation.operation_id,
  also: (db: RecordsDb, stored: EntityRow) =>
    settleStep(db as unknown as ChangesetDb, step, {
      state: 'done',
      path: stored.path,
      row_id: stored.row_id,
      checksum: stored.file_checksum,
      version_before: before?.version ?? 0,
      version_after: stored.version,
    }),
});
