import { dropAsset, returnAsset, writeAsset } from './apply-asset.ts';
import { createEntity, deleteEntity, moveToId, restoreEntity, writeEntity } from './apply-entity.ts';
import type { StepKind, StepRow } from './changesets.tables.ts';
import { note, type StepTools } from './step-tools.ts';

/** Applies one step and stores its result; repeatable. Errors about the step's own file are thrown as HttpError or FilesError. */
export type ApplyStep = (tools: StepTools, step: StepRow) => Promise<void>;

export const applyStep: Record<StepKind, ApplyStep> = {
  create: createEntity,
  write: writeEntity,
  move: moveToId,
  delete: deleteEntity,
  restore: restoreEntity,
  asset: writeAsset,
  drop: dropAsset,
  return: returnAsset,
  template: writeTemplate,
};

async function writeTemplate(tools: StepTools, step: StepRow): Promise<void> {
  const { project, templateEditor, operation } = tools;
  const options = { actor: operation.created_by, expected: step.base_checksum ?? '' };
  await templateEditor.replace(project, step.entity_type ?? '', step.text ?? '', options);
  await note(tools, step, { state: 'done' });
}
