import { isEntityId } from '../../content/entity/index.ts';
import { entityFolder } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { asciiWords } from '../../text/letters.ts';
import type { Renames } from '../changesets/index.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { findEntityRow, type Project, type RecordsDb } from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';

export interface RenameTools {
  project: Project;
  set: TemplateSet;
  renames: Renames;
}

const AUTHOR = { actor: 'canonry doctor', plan: 'enterprise' } as const;
const LONGEST = 100;

/** The nearest valid id: `Jörg O'Brien` → `jorg_o_brien`. */
export const properId = (text: string): string => asciiWords(text, '_').slice(0, LONGEST) || 'unnamed';

/** Gives an entity a valid id as an operation: references follow, and one undo reverts it. */
export async function renameEntity(
  { project, set, renames }: RenameTools,
  state: EntityState,
): Promise<void> {
  const { entity_type, entity_id } = state;
  const template = set.types.get(entity_type);
  const row = await project.database.read((db: RecordsDb) =>
    findEntityRow(db, project, entity_type, entity_id),
  );
  if (template === undefined || row?.path !== state.path) return;
  const new_id = await freeId(project, template, properId(entity_id));
  const { operation } = await renames.rename(project, { entity_type, old_id: entity_id, new_id }, AUTHOR);
  const [skipped] = operation.skipped;
  if (skipped) throw new Error(skipped.reason);
}

async function freeId(project: Project, template: TemplateDefinition, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`;
    const id = `${wanted.slice(0, LONGEST - suffix.length)}${suffix}`;
    if (isEntityId(id) && (await isFree(project, template, id))) return id;
  }
}

async function isFree(project: Project, template: TemplateDefinition, id: string): Promise<boolean> {
  const entries = await project.files.list(entityFolder(template, id)).catch(() => null);
  const row = await project.database.read((db: RecordsDb) =>
    findEntityRow(db, project, template.entity_type, id),
  );
  return entries === null && row === undefined;
}
