import { checksumOf } from '../../kit/crypto.ts';
import type { Project } from '../records/index.ts';
import type { StepRow } from './changesets.tables.ts';
import { emptyStep, isBeside, type PlannedStep } from './step.ts';
import { appliedSteps, lifeOf } from './steps.store.ts';

const PAGE = 50;
const LAST_POSITION = 2 ** 31 - 1;

/** Yields the inverse of an operation's applied steps, last to first; files beside entities come at the end. */
export async function* inverseSteps(project: Project, operationId: string): AsyncGenerator<PlannedStep> {
  for (const beside of [false, true]) {
    let before = LAST_POSITION;
    for (;;) {
      const steps = await appliedSteps(project, operationId, before, PAGE);
      const last = steps.at(-1);
      if (last === undefined) break;
      before = last.position;
      for (const step of steps) {
        if (isBeside(step.kind) !== beside) continue;
        const inverse = await inverseOf(project, step);
        if (inverse !== null) yield inverse;
      }
    }
  }
}

/** Null if the step changed nothing. */
async function inverseOf(project: Project, step: StepRow): Promise<PlannedStep | null> {
  const { entity_type, entity_id, path, row_id, checksum } = step;
  switch (step.kind) {
    case 'asset':
    case 'return':
      return step.base_checksum === null ? { ...emptyStep, kind: 'drop', path, checksum } : null;
    case 'drop':
      return { ...emptyStep, kind: 'return', path, checksum };
    case 'template':
      return {
        ...emptyStep,
        kind: 'template',
        entity_type,
        base: step.text,
        text: step.base,
        base_checksum: step.checksum,
        checksum: step.base_checksum,
      };
    case 'create':
    case 'restore':
      return { ...emptyStep, kind: 'delete', entity_type, entity_id, path, row_id, base_checksum: checksum };
    case 'delete':
      if (step.version_before === null) return null;
      return { ...emptyStep, kind: 'restore', entity_type, entity_id, path, row_id };
    case 'write':
    case 'move':
      return inverseOfChange(project, step);
  }
}

/** The entity is found by its row id, which survives a rename. */
async function inverseOfChange(project: Project, step: StepRow): Promise<PlannedStep | null> {
  const { row_id, version_before, version_after, entity_type } = step;
  if (row_id === null || version_before === null || version_after === null) return null;
  if (version_before === version_after) return null;
  const versions = { before: version_before, after: version_after };
  const { row, before, after } = await lifeOf(project, row_id, versions);
  const entity_id = row?.entity_id ?? step.to_id ?? step.entity_id;
  const inverse = { ...emptyStep, entity_type, entity_id, path: row?.path ?? step.path, row_id };
  const skipped = (reason: string): PlannedStep => ({
    ...inverse,
    kind: step.kind,
    state: 'skipped',
    reason,
    ...(step.kind === 'move' && { to_id: step.entity_id }),
  });
  if (row === undefined) return skipped('it is no longer there');
  if (before === undefined || after === undefined) return skipped('its earlier text is no longer kept');
  if (step.kind === 'move' && ![step.to_id, step.entity_id].includes(entity_id)) {
    return skipped(`it was renamed to '${entity_id}' since: undo that first`);
  }
  const texts = {
    base: after,
    text: before,
    base_checksum: checksumOf(after),
    checksum: checksumOf(before),
  };
  const isStillThere = step.kind === 'move' && row.entity_id === step.to_id;
  return isStillThere
    ? { ...inverse, ...texts, kind: 'move', to_id: step.entity_id }
    : { ...inverse, ...texts, kind: 'write' };
}
