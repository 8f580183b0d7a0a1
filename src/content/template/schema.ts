import { PRODUCTION_STATUS_SCHEMA } from '../production-status.ts';
import { isInteger } from './declared.ts';
import { admitsOnlyOptions, admitsSeveral } from './fields.ts';
import type { FieldDefinition, TemplateDefinition } from './types.ts';

export type JsonSchema = Record<string, unknown>;

/** `field_config` keys that a form needs and JSON Schema has no words for. */
const HINTS: Readonly<Record<string, string>> = {
  min: 'x-min',
  max: 'x-max',
  step: 'x-step',
  show_value: 'x-show-value',
  max_selections: 'x-max-selections',
  relationship_types: 'x-relationship-types',
  layout: 'x-layout',
};

/** Keys of `field_config` that other parts of the schema say. */
const SAID = new Set([
  ...Object.keys(HINTS),
  ...['widget', 'options', 'reference_type', 'label', 'description', 'placeholder', 'required'],
]);

function typeOf(field: FieldDefinition): string | string[] {
  const type = field.type === 'number' && isInteger(field.declared_type) ? 'integer' : field.type;
  if (!field.nullable && !admitsSeveral(field)) return type;
  return [type, ...(admitsSeveral(field) ? ['array'] : []), ...(field.nullable ? ['null'] : [])];
}

function choicesOf(field: FieldDefinition): JsonSchema {
  if (field.options === undefined) return {};
  const values = field.options.map((option) => option.value);
  const hints = { 'x-options': field.options };
  if (field.type === 'array' || field.type === 'object') return hints;
  if (!admitsOnlyOptions(field)) return { ...hints, examples: values };
  const empty = field.nullable ? null : '';
  return { ...hints, enum: field.required ? values : [...values, empty] };
}

function itemsOf(field: FieldDefinition): JsonSchema {
  const { items } = field;
  if (items === 'object') return { type: 'object', ...propertiesOf(field.properties ?? []) };
  return items === undefined || items === 'any' ? {} : { type: items };
}

function hintsOf(field: FieldDefinition): JsonSchema {
  const hints: JsonSchema = {};
  for (const [key, hint] of Object.entries(HINTS)) {
    if (field.config[key] !== undefined) hints[hint] = field.config[key];
  }
  if (field.reference_type !== undefined) hints['x-reference-type'] = field.reference_type;
  if (field.placeholder !== undefined) hints['x-placeholder'] = field.placeholder;
  if (field.declared_type !== undefined) hints['x-declared-type'] = field.declared_type;
  // For widgets of plugins, whose options only they know.
  const others = Object.entries(field.config).filter(([key]) => !SAID.has(key));
  if (others.length > 0) hints['x-config'] = Object.fromEntries(others);
  return hints;
}

function schemaOfField(field: FieldDefinition, order: number): JsonSchema {
  return {
    type: typeOf(field),
    title: field.label,
    ...(field.description === undefined ? {} : { description: field.description }),
    default: field.default,
    ...choicesOf(field),
    ...(field.type === 'array' ? { items: itemsOf(field) } : {}),
    ...(admitsSeveral(field) ? { items: { type: 'string' } } : {}),
    ...(field.type === 'object' ? propertiesOf(field.properties ?? []) : {}),
    'x-widget': field.widget,
    'x-order': order,
    ...hintsOf(field),
  };
}

function propertiesOf(fields: readonly FieldDefinition[]): JsonSchema {
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    properties: Object.fromEntries(fields.map((field, order) => [field.name, schemaOfField(field, order)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: true,
  };
}

/** Besides an entity's fields. */
const ATTRIBUTES: JsonSchema = {
  status: { type: 'string', enum: ['active', 'archived', 'draft'] },
  production_status: PRODUCTION_STATUS_SCHEMA,
};

/**
 * JSON Schema 2020-12 with `x-` hints for forms. Unknown keys are allowed, since fields that left a template stay in its
 * entities. Null clears any field.
 */
export function schemaOf(template: TemplateDefinition): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:canonry:entity:${template.entity_type}:${template.template_version}`,
    title: template.label,
    ...(template.description === '' ? {} : { description: template.description }),
    type: 'object',
    ...propertiesOf(template.fields),
    'x-entity-type': template.entity_type,
    'x-template-version': template.template_version,
    'x-attributes': ATTRIBUTES,
  };
}
