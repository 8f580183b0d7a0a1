import { editDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import {
  changedParts,
  entityLock,
  moveEntity,
  placesOfId,
  presentStage,
  type ReconciledFile,
  reconcileFile,
} from '../entities/index.ts';
import {
  type EntityRow,
  findEntityRow,
  findRecycledLife,
  type Project,
  type RecordsDb,
  readRevision,
} from '../records/index.ts';
import type { StepRow } from './changesets.tables.ts';
import { authorOf, note, originOf, type StepTools } from './step-tools.ts';
import { targetText } from './three-way.ts';

const namesOf = ({ entity_type, entity_id, to_id }: StepRow) => ({
  type: entity_type ?? '',
  id: entity_id ?? '',
  toId: to_id ?? '',
});

const rowOf = (project: Project, type: string, id: string): Promise<EntityRow | undefined> =>
  project.database.read((db: RecordsDb) => findEntityRow(db, project, type, id));

const checksumAt = async (project: Project, path: string): Promise<string | null> =>
  (await project.files.stat(path)) ? checksumOf(await project.files.read(path)) : null;

const unchanged = { state: 'done' } as const;

export async function createEntity(tools: StepTools, step: StepRow): Promise<void> {
  const { project, entities, operation } = tools;
  const { type, id } = namesOf(step);
  const template = await entities.templateOf(project, type);
  const file = { entityId: id, text: step.text ?? '' };
  await entities.alone(project, { entity_type: type, entity_id: id }, () =>
    entities.writeNew(project, template, file, authorOf(operation), originOf(tools, step, null)),
  );
}

export async function writeEntity(tools: StepTools, step: StepRow): Promise<void> {
  const { project, entities } = tools;
  const { type, id } = namesOf(step);
  const template = await entities.templateOf(project, type);
  await entities.alone(project, { entity_type: type, entity_id: id }, () => writeOver(tools, step, template));
}

async function writeOver(tools: StepTools, step: StepRow, template: TemplateDefinition): Promise<void> {
  const { project, entities, operation } = tools;
  const { type, id } = namesOf(step);
  const row = await entities.findRow(project, type, id);
  const isWritten = (await checksumAt(project, row.path)) === step.checksum;
  const half = isWritten ? originOf(tools, step, row) : undefined;
  await entities.changeHeld(
    project,
    template,
    row,
    { actor: operation.created_by, half },
    async (reconciled) => {
      if (isWritten && reconciled.row !== row) return null;
      const target = targetText(step, reconciled.text);
      if ('reason' in target) throw conflict(target.reason);
      if (target.text === reconciled.text) {
        const versions = await versionsOfEarlierTry(project, step, reconciled);
        const result = { ...unchanged, path: row.path, row_id: row.row_id, ...versions };
        await note(tools, step, result, reconciled.row);
        return null;
      }
      return {
        next: target.text,
        changed: changedParts(reconciled.text, target.text),
        origin: originOf(tools, step, reconciled.row),
      };
    },
  );
}

/**
 * Versions that an interrupted attempt of the step left. They belong to the operation even if a sweep imported the file as an outside
 * edit, so that its undo reverts them. Empty if there is nothing to do.
 */
async function versionsOfEarlierTry(
  project: Project,
  step: StepRow,
  { row, text }: Pick<ReconciledFile, 'row' | 'text'>,
): Promise<{ checksum?: string; version_before?: number; version_after?: number }> {
  const earlier = await readRevision(project, row.row_id, row.version - 1);
  if (step.base === step.text || earlier === undefined || earlier.text === text) return {};
  const target = targetText(step, earlier.text);
  if (!('text' in target) || target.text !== text) return {};
  return { checksum: row.file_checksum, version_before: row.version - 1, version_after: row.version };
}

/** Holds the sync's lock: a sync would otherwise take the moving folder for a deleted one. */
export async function moveToId(tools: StepTools, step: StepRow): Promise<void> {
  const { project, entities } = tools;
  const { type, id, toId } = namesOf(step);
  const template = await entities.templateOf(project, type);
  const { exclusive } = project.database;
  await exclusive(`sync ${project.projectId}`, () =>
    exclusive(entityLock(project, type, id), () =>
      exclusive(entityLock(project, type, toId), () => move(tools, step, template)),
    ),
  );
}

async function move(tools: StepTools, step: StepRow, template: TemplateDefinition): Promise<void> {
  const { project, entities, operation, now } = tools;
  const { type, id, toId } = namesOf(step);
  const row = await entities.findRow(project, type, id);
  if (await rowOf(project, type, toId)) {
    throw conflict(`${type} '${toId}' exists already`, { code: 'entity_exists' });
  }
  const { row: present, text, before } = await textToMove(tools, step, { template, row });
  const stored = await moveEntity(
    project,
    template,
    { row: present, toId, places: placesOfId(template, present.path, toId), text },
    {
      actor: operation.created_by,
      changed: changedParts(before, text),
      origin: originOf(tools, step, present),
      now,
    },
  );
  await entities.followTargets(project, { added: [stored], removed: [row] });
}

/** The file's text under its new id. A file already on its way must arrive, so it is not reconciled again. */
async function textToMove(
  { project, operation, now }: StepTools,
  step: StepRow,
  { template, row }: { template: TemplateDefinition; row: EntityRow },
): Promise<{ row: EntityRow; text: string; before: string }> {
  const path = await presentStage(project, placesOfId(template, row.path, step.to_id ?? ''));
  if (path === row.path) {
    const options = { overwrite: false, actor: operation.created_by, now };
    const reconciled = await reconcileFile(project, template, row, options);
    const target = targetText(step, reconciled.text);
    if ('reason' in target) throw conflict(target.reason);
    return { row: reconciled.row, text: target.text, before: reconciled.text };
  }
  const present = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await project.files.read(path));
  const target = targetText(step, present);
  const text = 'text' in target ? target.text : editDocument(present, { set: { id: step.to_id } });
  return { row, text, before: step.base ?? '' };
}

/** Undoes a creation, unless somebody has edited the entity since. */
export async function deleteEntity(tools: StepTools, step: StepRow): Promise<void> {
  const { project, recycleBin, operation } = tools;
  const { type, id } = namesOf(step);
  const row = await rowOf(project, type, id);
  if (row?.row_id !== step.row_id) return void (await note(tools, step, unchanged));
  const checksum = await checksumAt(project, row.path);
  if (checksum !== null && checksum !== step.base_checksum) {
    throw conflict('it was changed since it was made, so it stays; delete it by itself if it is to go');
  }
  const { also } = originOf(tools, step, row);
  await recycleBin.remove(project, type, id, { actor: operation.created_by, also });
}

export async function restoreEntity(tools: StepTools, step: StepRow): Promise<void> {
  const { project, recycleBin, operation } = tools;
  const { type, id } = namesOf(step);
  const item = await project.database.read((db: RecordsDb) =>
    findRecycledLife(db, project, step.row_id ?? 0),
  );
  if (item === undefined) {
    const row = await rowOf(project, type, id);
    if (row === undefined || row.row_id !== step.row_id) {
      throw conflict('it is no longer in the recycle bin', { code: 'no_such_item' });
    }
    const result = { ...unchanged, path: row.path, version_after: row.version, version_before: 0 };
    await note(tools, step, result, row);
    return;
  }
  const row = await recycleBin.restore(project, item.item_id, authorOf(operation));
  const result = {
    ...unchanged,
    path: row.path,
    row_id: row.row_id,
    checksum: row.file_checksum,
    version_before: 0,
    version_after: row.version,
  };
  await note(tools, step, result, row);
}
