import { ENTITY_METADATA_KEYS, type FieldDefinition, type TemplateDefinition } from '../template/index.ts';

/** Built once per template. */
export interface CompiledTemplate {
  fields: readonly FieldDefinition[];
  byName: ReadonlyMap<string, FieldDefinition>;
  /** Attributes and metadata, which are no fields. */
  hidden: ReadonlySet<string>;
}

const compiledTemplates = new WeakMap<TemplateDefinition, CompiledTemplate>();

export function compiled(template: TemplateDefinition): CompiledTemplate {
  const known = compiledTemplates.get(template);
  if (known !== undefined) return known;
  const byName = new Map(template.fields.map((field) => [field.name, field]));
  const hidden = new Set([...ENTITY_METADATA_KEYS].filter((key) => !byName.has(key)));
  const made = { fields: template.fields, byName, hidden };
  compiledTemplates.set(template, made);
  return made;
}
