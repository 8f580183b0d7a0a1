import type { ValidationError } from '../../content/entity/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Step } from '../changesets/index.ts';
import { readEntityFile } from '../texts/index.ts';
import type { NotesPlan, PlannedNote } from './plan-notes.ts';

export interface PreviewedEntity {
  path: string;
  status: string;
  fields: Record<string, unknown>;
  markdown_body: string;
  primary_asset: string | null;
  validation_errors: ValidationError[];
  is_valid: boolean;
}

const keyOf = (entity: { entity_type: string; entity_id: string }) =>
  `${entity.entity_type}/${entity.entity_id}`;

/** The notes of a plan, each with its future entity; null if nothing would be written. */
export async function previewsOf(
  { notes, steps }: NotesPlan,
  templates: ReadonlyMap<string, TemplateDefinition>,
): Promise<(PlannedNote & { entity: PreviewedEntity | null })[]> {
  const texts = new Map(steps.flatMap((step) => textOf(step)));
  const pause = createPauses();
  const previews: (PlannedNote & { entity: PreviewedEntity | null })[] = [];
  for (const note of notes) {
    await pause();
    const template = templates.get(note.entity_type);
    const text = texts.get(keyOf(note));
    const entity = template && text !== undefined ? read(template, note.entity_id, text) : null;
    previews.push({ ...note, entity });
  }
  return previews;
}

const textOf = (step: Step): [string, string][] =>
  step.kind === 'create' || step.kind === 'write' ? [[keyOf(step), step.text]] : [];

function read(template: TemplateDefinition, entityId: string, text: string): PreviewedEntity | null {
  const path = entityFilePath(template, entityId);
  const file = readEntityFile(template, { path, text, checksum: '' });
  if (!file.ok) return null;
  const {
    status,
    own_fields: fields,
    markdown_body,
    primary_asset,
    validation_errors,
    is_valid,
  } = file.content;
  return { path, status, fields, markdown_body, primary_asset, validation_errors, is_valid };
}
