import { checkFieldsForWrite, newDocumentData, withWholeMaps } from '../../content/entity/index.ts';
import { newDocument, type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { conflict, type FieldError, invalidField } from '../../kit/errors.ts';
import { type EntityRow, findEntityRow, type Project, type RecordsDb } from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';
import { requireEntityId } from './create.service.ts';
import { editEntity, requireUpdate, written } from './entity-edit.ts';
import { stateOf } from './entity-text.ts';
import { idsOf } from './new-id.ts';
import { loadVersion } from './versions.ts';

export interface DraftInput {
  /** Of an entity that is there, or of one to be made; without one it is made from the name. */
  entity_id?: string | undefined;
  name?: string | undefined;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

export interface DraftState {
  state: EntityState;
  /** Why a save would refuse a field. The state has its value as it was. */
  refused: FieldError[];
}

/** The entity as a save of this input would store it; nothing is written. Refuses what a save would refuse, except for fields. */
export async function draftState(
  project: Project,
  template: TemplateDefinition,
  draft: DraftInput,
  today: string,
): Promise<DraftState> {
  const { fields: whole = {} } = withWholeMaps(template, {}, draft);
  const refused = checkFieldsForWrite(template, whole);
  const isRefused = new Set(refused.map(({ field }) => field.split('.')[0]));
  const fields = Object.fromEntries(
    Object.entries(draft.fields ?? {}).filter(([name]) => !isRefused.has(name)),
  );
  return { state: await stateWith(project, template, { ...draft, fields }, today), refused };
}

async function stateWith(
  project: Project,
  template: TemplateDefinition,
  { entity_id: given, ...input }: DraftInput,
  today: string,
): Promise<EntityState> {
  requireUpdate(template, withWholeMaps(template, {}, input));
  const row = given === undefined ? undefined : await rowOf(project, template, given);
  if (row) {
    const source = await presentDocument(project, row);
    const whole = withWholeMaps(template, source.data, input);
    return stateOf(project, template, row, editEntity(template, source, whole, today).document);
  }
  const { name, status = 'draft', fields = {}, markdown_body: body } = withWholeMaps(template, {}, input);
  if (name === undefined) throw invalidField('name', 'is needed for an entity that does not exist yet');
  const entity_id = given ?? (await freeId(project, template, name));
  requireEntityId(entity_id);
  const data = newDocumentData(template, { entity_id, name, status, fields, today });
  const document = written(() => newDocument(data, body ?? template.skeleton));
  return stateOf(project, template, { path: entityFilePath(template, entity_id), entity_id }, document);
}

const rowOf = (
  project: Project,
  { entity_type }: TemplateDefinition,
  entityId: string,
): Promise<EntityRow | undefined> =>
  project.database.read((db: RecordsDb) => findEntityRow(db, project, entity_type, entityId));

async function presentDocument(project: Project, row: EntityRow): Promise<ReadDocument> {
  const { text } = await loadVersion(project, row, row.version);
  const document = readDocument(text, { toEdit: true });
  if (document.ok) return document;
  throw conflict(`${row.path} cannot be read, so nothing can be changed in it: fix the file first`, {
    code: 'unreadable_base',
  });
}

async function freeId(project: Project, template: TemplateDefinition, name: string): Promise<string> {
  let last = '';
  for (const id of idsOf(name, template.entity_type)) {
    if (!(await rowOf(project, template, id))) return id;
    last = id;
  }
  return last;
}
