import type { TemplateDefinition } from '../template/index.ts';
import { checkValue } from './check.ts';
import { compiled } from './compiled.ts';
import type { NewEntity } from './types.ts';

export interface FieldProblem {
  /** Dotted. */
  field: string;
  message: string;
}

/**
 * Strict: values have the template's types (null clears any field), and attributes and metadata are not accepted as fields.
 * Unknown keys are.
 */
export function checkFieldsForWrite(
  template: TemplateDefinition,
  fields: Readonly<Record<string, unknown>>,
): FieldProblem[] {
  const { byName, hidden } = compiled(template);
  const problems: FieldProblem[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (hidden.has(name)) {
      problems.push({
        field: name,
        message: 'belongs to the entity or its file and cannot be set as a field',
      });
      continue;
    }
    const field = byName.get(name);
    if (field === undefined) continue;
    checkValue(field, value, [name], (path, _code, message) =>
      problems.push({ field: path.join('.'), message }),
    );
  }
  return problems;
}

/** A template with `title` and no `name` shows its entities by title. */
function nameKey(template: TemplateDefinition, fields: Readonly<Record<string, unknown>>): 'name' | 'title' {
  const byTitle = compiled(template).byName.get('title')?.type === 'string' && !('name' in template.metadata);
  return byTitle && !Object.hasOwn(fields, 'title') ? 'title' : 'name';
}

/**
 * In the order of the file: metadata, name, given fields and the template's real defaults in its order, then unknown
 * fields. Placeholders are left out.
 */
export function newDocumentData(template: TemplateDefinition, entity: NewEntity): Record<string, unknown> {
  const { fields } = entity;
  const key = nameKey(template, fields);
  const data: Record<string, unknown> = {
    template_version: template.template_version,
    id: entity.entity_id,
    entity_type: template.entity_type,
    created_date: entity.today,
    last_updated: entity.today,
    status: entity.status,
    [key]: entity.name,
  };
  for (const field of template.fields) {
    if (field.name === key) continue;
    data[field.name] = Object.hasOwn(fields, field.name) ? fields[field.name] : field.default;
  }
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(data, name)) data[name] = fields[name];
  }
  return data;
}
